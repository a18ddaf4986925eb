"""A deal looked back at, in templates: `{% load replay %}`. Rows, sentences and sums; the words are `games.text.table`'s."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from django import template
from django.utils.translation import gettext as _

from games.read_models import HandSheet, OpenSeat, Overview, Replay, SideCount, TrickCard, TrickPoints
from games.text import common, table
from games.text.common import is_you
from games.text.log import log_line
from rules.text import names as rules_text_names

register = template.Library()

_ROWS: Final = ("CO", "SB", "TF")
_TALK: Final = ("spoke", "throw-in", "bid", "called", "answered", "no-jack")
_END_OF_TALK: Final = ("veto", "go", "throw-in")
_OWN_WORDS: Final = ("liber", "buob", "buob-sche", "take", "solo")


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of an open hand; `first` opens its suit, so that a gap stands before it."""

    code: str
    first: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of one seat in a trick: one, or the king with its jack."""

    seat: int
    place: int
    cards: tuple[TrickCard, ...]
    led: bool
    winning: bool


@dataclass(frozen=True, slots=True)
class Middle:
    """What lies in the middle: a trick that grows, or (`winner` is a seat) the one just gathered, worth `points`."""

    number: int
    laid: tuple[Laid, ...]
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a player has just said: a word in the language `lang`, and phrases of the book with what they say literally."""

    word: str
    lang: str
    phrases: tuple[rules_text_names.Phrase, ...]
    words: str


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side so far: who they are, what they have gathered."""

    team: str
    rules_text_names: str
    tricks: int
    points: int


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A line of the table of tricks: its value stands in the column of the side that won it."""

    number: int
    step: int
    winner: str
    values: tuple[int | None, ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class HandRow:
    """A line in the list of hands: scores by party, or how it ended where nothing was counted."""

    number: int
    dealer: str
    scores: tuple[str, ...]
    outcome: str
    open: bool
    sealed: bool


# the board


@register.filter
def open_rows(seat: OpenSeat) -> tuple[tuple[HeldCard, ...], ...]:
    """A seat's cards in three rows, empty ones too: cups and coins, swords and batons, trumps and the Fool."""
    return tuple(tuple(_row(seat.cards, suits)) for suits in _ROWS)


def _row(cards: tuple[str, ...], suits: str) -> list[HeldCard]:
    held = [code for code in cards if code[0] in suits]
    before = ["", *held]
    return [HeldCard(code, bool(last) and last[0] != code[0]) for code, last in zip(held, before, strict=False)]


@register.filter
def middle(replay: Replay) -> Middle | None:
    """The trick to show: the one on the table, else the one gathered last; None before the play."""
    trick = replay.trick or replay.last_trick
    if trick is None:
        return None
    lying: dict[int, list[TrickCard]] = {}
    for card in trick.cards:  # the jack of a pair need not follow its king at once
        lying.setdefault(card.seat, []).append(card)
    laid = [
        Laid(seat, cards[0].place, tuple(cards), any(card.led for card in cards), any(card.winning for card in cards))
        for seat, cards in lying.items()
    ]
    gathered = replay.trick is None
    points = next((row.points for row in replay.tricks if row.number == trick.number), 0)
    return Middle(trick.number, tuple(laid), trick.winner if gathered else None, points if gathered else 0)


@register.filter
def spoken(seat: OpenSeat, replay: Replay) -> Spoken | None:
    """What the player at this seat said last, until the talk of that round is over and something else follows."""
    for step in reversed(replay.steps[: replay.step]):
        kinds = {line.kind for line in step.lines}
        ended = step.number < replay.step and any(line.verb in _END_OF_TALK for line in step.lines)
        if ended or not kinds & set(_TALK):
            return None
        for line in step.lines:
            if line.seat == seat.number and line.kind in _TALK:
                return _spoken(line.verb or line.kind, line.phrases, line.words)
    return None


def _spoken(verb: str, phrases: tuple[str, ...], words: str) -> Spoken | None:
    if verb == "no-jack":
        return None
    if verb in _OWN_WORDS:
        term = rules_text_names.own_word(verb)
        word, lang = term.text, term.lang
    else:
        word, lang = _plain(verb), ""
    return Spoken(word, lang, tuple(rules_text_names.by_id(phrase) for phrase in phrases), words)


def _plain(verb: str) -> str:
    return {
        "allow": _("throw-in allowed"),
        "veto": rules_text_names.word("veto").text,
        "go": _("plays on"),
        "throw-in": _("throws in"),
        "quiet": _("says nothing"),
        "give": _("gives the jack"),
        "keep": _("leaves the Fool"),
        "pass": _("passes"),
    }.get(verb, verb)


@register.filter
def side_scores(replay: Replay) -> list[SideScore]:
    """Each side with its tricks and card points so far, the viewer's own first."""
    own = next((at for at, party in enumerate(replay.parties) if replay.viewer in party), 0)
    order = sorted(range(len(replay.parties)), key=lambda at: (at != own, at))
    found = []
    for at in order:
        seat = replay.seats[replay.parties[at][0]]
        found.append(SideScore(_mark(at, replay), common.side_names(replay, at), seat.tricks, seat.points))
    return found


# the account


@register.filter
def person(seat: int, replay: Replay) -> str:
    """The name of who sits there, "You" for the reader's own seat."""
    return _("You") if is_you(seat, replay) else replay.seats[seat].name


@register.filter
def now(replay: Replay) -> str:
    """What has just happened, as sentences."""
    if not replay.step:
        return _("The pack lies ready. Nobody has acted yet.")
    return " ".join(log_line(line, replay) for line in replay.steps[replay.step - 1].lines)


@register.filter
def is_over(replay: Replay) -> bool:
    """Whether nobody is asked anything any more at this moment."""
    return not any(seat.turn for seat in replay.seats)


@register.filter
def result(replay: Replay) -> str:
    """How the deal ended, in one sentence."""
    return table.hand_result(replay.sheet, replay)


@register.filter
def column_names(replay: Replay) -> list[tuple[str, str]]:
    """The mark and the names of every side, in the order of the record."""
    return [(_mark(at, replay), common.side_names(replay, at)) for at in range(len(replay.parties))]


@register.filter
def trick_rows(replay: Replay) -> list[TrickRow]:
    """Every trick of the deal with its card points in the column of the side that won it."""
    return [_trick_row(trick, replay) for trick in replay.tricks]


def _trick_row(trick: TrickPoints, replay: Replay) -> TrickRow:
    values = tuple(trick.points if trick.winner in party else None for party in replay.parties)
    return TrickRow(trick.number, trick.step, person(trick.winner, replay), values, trick.step == replay.step)


@register.filter
def taken_off(count: SideCount) -> str:
    """What the number of cards costs a side, with a minus sign."""
    return common.signed(-count.taken_off)


@register.filter
def side_totals(replay: Replay) -> list[str]:
    """What each side has in the game after this deal."""
    return [_plain_scores(party, replay.totals, replay) for party in replay.parties]


@register.filter
def side_results(replay: Replay) -> list[str]:
    """What each side scores in this deal."""
    return [_plain_scores(party, replay.sheet.scores, replay) for party in replay.parties]


def _plain_scores(party: tuple[int, ...], scores: tuple[int, ...], replay: Replay) -> str:
    """One figure for a party whose players have the same, else one for each."""
    if len({scores[seat] for seat in party}) == 1:
        return common.signed(scores[party[0]])
    return ", ".join(f"{person(seat, replay)} {common.signed(scores[seat])}" for seat in party)


def _mark(at: int, replay: Replay) -> str:
    """The letter of a side where there are two."""
    return "AB"[at] if len(replay.parties) == 2 else ""


@register.filter
def step_back(replay: Replay) -> int:
    """The step before, the first one at the beginning."""
    return max(replay.step - 1, 0)


@register.filter
def step_on(replay: Replay) -> int:
    """The step after, the last one at the end."""
    return min(replay.step + 1, replay.last_step)


# the proof


@register.filter
def cutter(replay: Replay) -> OpenSeat | None:
    """Who cut the pack."""
    lines = (line for step in replay.steps for line in step.lines if line.kind == "cut")
    return next((replay.seats[line.seat] for line in lines if line.seat is not None), None)


@register.filter
def cut_size(replay: Replay) -> int:
    """How many cards were lifted."""
    return next((line.count for step in replay.steps for line in step.lines if line.kind == "cut"), 0)


@register.filter
def own_chance(replay: Replay) -> bool:
    """Whether the reader's own browser added to the pack."""
    return any(given.own for given in replay.chance)


@register.filter
def proof_data(replay: Replay) -> str:
    """What the check in the browser needs, as JSON."""
    arranged = [line.cards for step in replay.steps for line in step.lines if line.kind == "arranged" and line.cards]
    data = {
        "proof": replay.proof,
        "pack": " ".join(replay.pack),
        "arrangements": [" ".join(cards) for cards in arranged],
        "lifted": cut_size(replay) or None,
    }
    return json.dumps(data, separators=(",", ":"))


# all hands of a game


@register.filter
def overview_columns(overview: Overview) -> list[tuple[str, str]]:
    """The mark and the names of those who share a total."""
    marks = "AB" if len(overview.parties) == 2 else " " * len(overview.parties)
    return [(marks[at].strip(), common.side_names(overview, at)) for at in range(len(overview.parties))]


@register.filter
def overview_rows(overview: Overview) -> list[HandRow]:
    """Every hand that is over."""
    return [_hand_row(sheet, overview) for sheet in overview.sheets]


def _hand_row(sheet: HandSheet, overview: Overview) -> HandRow:
    scores = tuple(common.signed(sheet.scores[party[0]]) for party in overview.parties) if sheet.points else ()
    outcome = {"thrown-in": _("thrown in"), "passed": _("passed")}.get(sheet.status, _("not played to its end"))
    dealer = common.seats_named((sheet.dealer,), overview)
    return HandRow(sheet.number, dealer, scores, outcome, sheet.open, sheet.sealed)


@register.filter
def any_sealed(overview: Overview) -> bool:
    """Whether other tables have still to play one of these hands."""
    return any(sheet.sealed for sheet in overview.sheets)


@register.filter
def any_open(overview: Overview) -> bool:
    """Whether a hand may be looked back at: else its record has nothing to tell."""
    return any(sheet.open for sheet in overview.sheets)


@register.filter
def overview_totals(overview: Overview) -> list[str]:
    """What each of them has after the last hand."""
    return [common.signed(overview.totals[party[0]]) for party in overview.parties]
