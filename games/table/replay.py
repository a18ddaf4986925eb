"""The parts of a replay's page, for stored games and records alike: the account, the addresses of the parts, and
pictures.

The account tells in sentences what happened, with linked terms and the messages that were written at the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.middleware import address_of
from core.http import whole_number
from core.limits import take
from core.sursilvan import in_a_row, joined, language_of
from games.chat.models import Note
from games.chat.selectors import MessageSeen
from games.read_models import Line, OpenSeat, Replay, Step, TrickCard
from games.selectors import rulesets
from games.selectors.replay import FIRST_CARD
from games.text.log import just_now, log_line
from rules.markup.render import Mentions
from rules.pictures import (
    BACK,
    BROAD,
    FONT,
    HEIGHT,
    HIGH,
    INK,
    PAPER,
    RED,
    SOFT,
    SUNK,
    WIDTH,
    card_picture,
    deck,
    png,
    text_line,
)
from rules.text import names

_EDGE: Final = 40
_TOP: Final = 128
_FOOT: Final = 596
_HANDS: Final = 744  # the width of the rows of hands …
_NAMES: Final = 170  # … and of the names in it, if they are beside the cards
_TEAMS: Final = {"A": "#1f4e7a", "B": "#82560a"}


@dataclass(frozen=True, slots=True)
class PictureWords:
    """The words of a picture, in one language: heading, what has just happened, the caption of the trick, the site."""

    game: str
    heading: str
    sentence: str
    trick: str
    site: str
    description: str


def draw(replay: Replay, words: PictureWords) -> str:
    """The picture as SVG, 1200 by 630. It refers to no other file."""
    trick = replay.trick or replay.last_trick
    lying = trick.cards if trick is not None else ()
    shown = {code for seat in replay.seats for code in seat.cards} | {card.code for card in lying} | {BACK}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BROAD} {HIGH}" width="{BROAD}" height="{HIGH}"',
        f' role="img" font-family="{FONT}">',
        f"<title>{escape(words.heading)}</title><desc>{escape(words.description)}</desc>",
        f"<defs>{deck().cut(sorted(shown))}</defs>",
        f'<rect width="{BROAD}" height="{HIGH}" fill="{PAPER}"/><rect width="{BROAD}" height="10" fill="{RED}"/>',
        text_line(words.heading, _EDGE, 62, 38, bold=True, room=BROAD - 2 * _EDGE),
        text_line(words.sentence, _EDGE, 102, 26, fill=SOFT, room=BROAD - 2 * _EDGE),
        *_rows(replay.seats),
        *_middle(lying, replay, words.trick),
        text_line(words.site, BROAD - _EDGE, HIGH - 16, 18, fill=SOFT, room=500, end=True),
        "</svg>",
    ]
    return "".join(parts)


def _rows(seats: Sequence[OpenSeat]) -> Iterator[str]:
    """Each hand in a row of its own: below the name, or beside it if there are many seats."""
    high = (_FOOT - _TOP) / len(seats)
    beside = len(seats) > 4
    size = 20 if beside else 22
    for index, seat in enumerate(seats):
        top = _TOP + index * high
        colour = _TEAMS.get(seat.team, INK)
        if seat.turn:
            yield f'<rect x="{_EDGE - 16}" y="{top + 2:.1f}" width="6" height="{high - 8:.1f}" fill="{RED}"/>'
        if beside:
            yield text_line(seat.name, _EDGE, top + high / 2 + size / 3, size, bold=True, fill=colour, room=_NAMES - 12)
            yield from _row(seat.cards, _EDGE + _NAMES, top + 3, high - 8)
        else:
            yield text_line(seat.name, _EDGE, top + size - 2, size, bold=True, fill=colour, room=_HANDS)
            yield from _row(seat.cards, _EDGE, top + size + 8, high - size - 16)


def _row(codes: tuple[str, ...], left: float, top: float, high: float) -> Iterator[str]:
    """A hand: the cards overlap and are cut off at the bottom, so that their upper corners show what they are."""
    broad = min(high * 1.5, 88.0)
    step = min(broad * 0.7, (_EDGE + _HANDS - left - broad) / max(len(codes) - 1, 1))
    for index, code in enumerate(codes):
        yield card_picture(code, left + index * step, top, broad, high)


def _middle(cards: tuple[TrickCard, ...], replay: Replay, under: str) -> Iterator[str]:
    """The trick, with each card above the name of its player; the pack before the play."""
    left, top, broad, high = 820, _TOP, BROAD - _EDGE - 820, _FOOT - _TOP - 8
    yield f'<rect x="{left}" y="{top}" width="{broad}" height="{high}" rx="8" fill="{SUNK}"/>'
    yield text_line(under, left + broad / 2, top + high - 14, 20, fill=SOFT, room=broad - 24, middle=True)
    if not cards:
        yield card_picture(BACK, left + broad / 2 - 60, top + 90, 120)
        return
    across = 2 if len(cards) <= 4 else 3
    if len(cards) > 6:
        across = 4
    down = -(-len(cards) // across)
    cell, tall = (broad - 20) / across, (high - 44) / down
    size = 18 if across < 4 else 14
    width = min(cell - 14, (tall - size - 18) * WIDTH / HEIGHT)
    for index, card in enumerate(cards):
        middle = left + 10 + (index % across + 0.5) * cell
        y = top + 10 + index // across * tall
        x = middle - width / 2
        if card.winning:
            yield (
                f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="{width + 8:.1f}" height="{width * HEIGHT / WIDTH + 8:.1f}" '
                f'rx="8" fill="none" stroke="{RED}" stroke-width="4"/>'
            )
        yield card_picture(card.code, x, y, width)
        colour = _TEAMS.get(replay.seats[card.seat].team, INK)
        name = replay.seats[card.seat].name
        base = y + width * HEIGHT / WIDTH + size + 4
        yield text_line(name, middle, base, size, bold=True, fill=colour, room=cell - 6, middle=True)


def picture_words(replay: Replay, *, laid: bool = False) -> PictureWords:
    """The words of a picture of this moment, in the reader's language.

    They address nobody, as others see the picture too. `laid`: the position was composed by somebody, not played.
    """
    game = rulesets.game_name(replay.ruleset)
    trick = replay.trick or replay.last_trick
    named = {"game": game, "number": replay.sheet.ordinal}
    if laid:
        heading = _("%(game)s, a position") % named
    else:
        heading = (_("%(game)s, hand %(number)d") if replay.sheet.ordinal else _("%(game)s, thrown in")) % named
    under = _("Trick %(number)d") % {"number": trick.number} if trick is not None else _("Before the play")
    sentence = just_now(replay)
    cards = in_a_row([names.card_short(card.code) for card in trick.cards]) if trick is not None else ""
    lying = _("%(trick)s: %(cards)s.") % {"trick": under, "cards": cards} if cards else ""
    description = joined(" ", [part for part in (heading + ".", sentence, lying) if part])
    return PictureWords(game, heading, sentence, under, urlsplit(settings.SITE_URL).netloc, description)


Anchored = TypeVar("Anchored", MessageSeen, Note)


@dataclass(frozen=True, slots=True)
class StepText:
    """One step: its number, what happened (`html` with links to terms, `text` without), and what was written at the
    time.

    `language` is that of the sentences; empty for that of the page.
    """

    number: int
    html: SafeString
    text: str
    language: str = ""
    messages: tuple[MessageSeen, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """The steps of one trick, or those before the play (trick 0)."""

    trick: int
    steps: tuple[StepText, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """A whole deal in sentences. `opening` has the messages before the first step; `glossary` explains the terms."""

    chapters: tuple[Chapter, ...]
    opening: StepText
    glossary: SafeString


def account(replay: Replay, language: str, messages: Iterable[MessageSeen] = (), notes: Iterable[Note] = ()) -> Account:
    """What happened in a deal, in `language`, trick by trick; messages and notes are at the steps when they were
    written."""
    mentions = Mentions(language, replay.ruleset)
    masked = replace(replay, seats=tuple(replace(seat, name=mentions.keep(seat.name)) for seat in replay.seats))
    messages_at = _by_step(replay.steps, list(messages))
    notes_at = _by_step(replay.steps, list(notes))
    chapters = []
    for trick, steps in groupby(replay.steps, key=lambda step: step.trick):
        mentions.chapter()
        texts = tuple(
            _step_text(step, masked, mentions, messages_at.get(step.number, ()), notes_at.get(step.number, ()))
            for step in steps
        )
        chapters.append(Chapter(trick, texts))
    opening = StepText(0, SafeString(""), "", "", tuple(messages_at.get(0, ())), tuple(notes_at.get(0, ())))
    return Account(tuple(chapters), opening, mentions.glossary())


def _step_text(
    step: Step, masked: Replay, mentions: Mentions, messages: Sequence[MessageSeen], notes: Sequence[Note]
) -> StepText:
    sentence = joined(" ", [log_line(_masked(line, mentions), masked) for line in step.lines])
    html, plain = mentions.linked(sentence), mentions.plain(sentence)
    return StepText(step.number, html, plain, language_of(sentence), tuple(messages), tuple(notes))


def _masked(line: Line, mentions: Mentions) -> Line:
    """The line with names and free talk masked, so that no terms are linked in them."""
    return replace(
        line,
        words=mentions.keep(line.words) if line.words else "",
        name=mentions.keep(line.name) if line.name else "",
        then=tuple(replace(sat, name=mentions.keep(sat.name)) for sat in line.then),
    )


def _by_step(steps: Sequence[Step], written: Sequence[Anchored]) -> dict[int, list[Anchored]]:
    """The messages or notes at each step: the last step whose action is not later; 0 before the first."""
    by_step: dict[int, list[Anchored]] = {}
    for each in written:
        number = max((step.number for step in steps if step.action <= each.number), default=0)
        by_step.setdefault(number, []).append(each)
    return by_step


def step_of(request: HttpRequest, otherwise: int | None = FIRST_CARD) -> int | None:
    """The step in the query of a URL; `otherwise` (the first card; None: the end) if it is missing or not a number."""
    step = whole_number(request.GET.get("step", ""))
    return otherwise if step is None else step


def addresses_of(replay: Replay, room: str) -> dict[str, str]:
    """The URLs of a deal and what belongs to it; `room` is games or imported. Empty for anything that does not exist.

    `png` and `svg` are pictures of a moment (`?step=`).
    """

    def at(name: str, *which: object) -> str:
        return reverse(f"{room}:{name}", args=[replay.public_id, *which])

    beside = {"previous": replay.previous, "following": replay.following}
    return {
        "page": at("replay", replay.hand),
        **{name: at("replay", hand) if hand is not None else "" for name, hand in beside.items()},
        "hands": at("hands"),
        "table": at("table") if room == "games" else "",
        "record": at("hand_record", replay.hand),
        "game_record": at("record"),
        "from_here": at("from_here", replay.hand),
        "edit": at("edit", replay.hand),
        "png": at("picture", replay.hand, "png"),
        "svg": at("picture", replay.hand, "svg"),
    }


def page_context(
    replay: Replay,
    where: dict[str, str],
    *,
    messages: Sequence[MessageSeen] = (),
    notes: Sequence[Note] = (),
    shared: bool,
    laid: bool = False,
) -> dict[str, Any]:
    """The context of the page's template. With `shared` its head describes it to other sites, with a picture.

    `laid` is that of `picture_words`.
    """
    return {
        "replay": replay,
        "where": where,
        "account": account(replay, get_language() or "en", messages, notes),
        "picture": picture_words(replay, laid=laid),
        "seat_to_take": seat_to_take(replay),
        "site": settings.SITE_URL if shared else "",
        "laid": laid,
    }


def seat_to_take(replay: Replay) -> int:
    """The seat that is offered first to somebody who plays on: their own, or else the one whose turn it is."""
    turn = next((seat.number for seat in replay.seats if seat.turn), 0)
    return turn if replay.viewer is None else replay.viewer


def picture(request: HttpRequest, replay: Replay, kind: str, *, laid: bool = False) -> HttpResponse:
    """The picture of a moment, as svg or png.

    Raises Http404 for another kind. PNG is slow, so its requests are limited.
    """
    if kind not in ("png", "svg"):
        raise Http404
    svg = draw(replay, picture_words(replay, laid=laid))
    if kind == "png":
        if not take(f"picture:{address_of(request)}", rate=120, per=3600, burst=20):
            return render(request, "games/too_many.html", status=429)
        response = HttpResponse(png(svg), content_type="image/png")
    else:
        response = HttpResponse(svg, content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{replay.ruleset}-{replay.hand}-{replay.step}.{kind}"'
    patch_cache_control(response, private=True, no_store=True)
    return response
