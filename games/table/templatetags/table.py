"""The table in templates: `{% load table %}`. Words come from `games.text`; places and rows are computed here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Final, TypeAlias, cast
from zoneinfo import ZoneInfo

from django import template
from django.template import Context
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.template.loader import get_template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import SUITS, HandOrder, Player
from core.sursilvan import MarkedTemplate
from domain.bots import talking
from domain.engine import card_of
from domain.engine.actions import SAY
from domain.engine.cards import set_of
from domain.engine.rulesets import ruleset
from domain.pace import Kind
from games.read_models import CardSeen, Choice, ClockSeen, HandSheet, Line, Said, SeatSeen, Sight, TrickCard, TrickSeen
from games.selectors.lines import ACTION_KINDS
from games.services.agreements import LONGEST_PAUSE, MORE_TIME
from games.services.computers import OpenHands
from games.text import common, deal_count, figures, log, table
from games.text.advice import because
from rules.terms import cached_by_language
from rules.text import names
from rules.text.names import Term, game_terms

register = template.Library()

_LONGEST_ROW: Final = 13
"""The most cards of suits in a row on a phone: at 390 px each then shows 25 px of its face."""
_LONGEST_TRUMPS: Final = 11
"""The most trumps in a row on a phone, with room for the Fool: their numbers are wider than a rank."""
_LONGEST_LINE: Final = 14
"""The most cards in one line on a wide screen; larger hands have two lines."""
_ROUND_SUITS: Final = ("C", "O")
"""In cups and coins the 1 is the highest numeral."""
_COURTS: Final = {"J": 11, "N": 12, "Q": 13, "K": 14}


@register.simple_tag
def site_time() -> str:
    """The time of the server, by which a script counts down, rather than by the clock of its device."""
    return timezone.now().isoformat()


@dataclass(frozen=True, slots=True)
class Group:
    """The cards of one suit that lie side by side.

    `ends_line`: on a wide screen the next group begins a second line.
    """

    suit: str
    cards: tuple[CardSeen, ...]
    ends_line: bool = False


Rows: TypeAlias = tuple[tuple[Group, ...], ...]


@dataclass(frozen=True, slots=True)
class Reasoned:
    """Cards of the hand with the same text: whether they may be played, and why."""

    text: str
    playable: bool
    cards: tuple[CardSeen, ...]


@dataclass(frozen=True, slots=True)
class Side:
    numbers: tuple[int, ...]
    team: str
    own: bool
    names: str
    total: str


@dataclass(frozen=True, slots=True)
class SheetSide:
    """A side of one deal: its names, its card points, and the score of each player."""

    team: str
    names: str
    points: int
    score: str


# words, as `games.text` has them

register.filter("prompt", table.prompt)
register.filter("only_away", common.only_away)
register.filter("table_title", table.title)
register.filter("refusal", table.refusal)
register.filter("worded", table.choice)
register.filter("hand_name", table.hand_name)
register.filter("hand_result", table.hand_result)
register.filter("game_result", table.game_result)
register.filter("played_before", table.played_before)
register.filter("counted_sides", deal_count.counted_sides)
register.filter("counts_tapp", deal_count.counts_tapp)
register.filter("deciding_deal", deal_count.deciding_deal)
register.filter("stakes_settled", deal_count.stakes_settled)
register.filter("signed", common.signed)
register.filter("signed_mean", figures.signed)
register.filter("decimal", figures.decimal)
register.filter("moment_for", common.moment_for)
register.filter("moment_written", common.moment_written)
register.filter("clock_line", common.table_line)
register.filter("clock_terms", common.clock_terms)
register.filter("undo_offer", log.undo_offer)
register.filter("undo_proposal", log.undo_proposal)
register.filter("log_line", log.log_line)
register.filter("seat_name", common.called)
register.filter("company", common.readers_of)
register.filter("duration", common.duration)
register.filter("reliability", common.reliability)
register.filter("phrase", names.by_id)
register.filter("in_short", table.in_short)
register.simple_tag(table.panel, name="panel_title")
register.simple_tag(table.usual)


@register.simple_tag
def log_rows(sight: Sight) -> SafeString:
    """The log as items of a list, the latest first."""
    readers = common.readers_of(sight)
    return SafeString("".join(_log_row(line, readers) for line in reversed(sight.lines)))


@cached_by_language(20_000)
def _log_row(line: Line, readers: common.Readers) -> SafeString:
    words = log.log_line(line, readers)
    return format_html('<li data-number="{}" data-kind="{}">{}</li>', line.number, line.kind, words)


@register.simple_tag
def piece(template_name: str, /, **values: object) -> SafeString:
    """A template rendered with these (hashable) values only, and cached: it is rendered once for all readers with
    equal values.

    It must not show the present time. Pass it the data for a text, not the finished text.
    """
    return _piece(template_name, *values.items())


@cached_by_language(20_000)
def _piece(name: str, *values: tuple[str, object]) -> SafeString:
    return cast(MarkedTemplate, get_template(name)).template.render(Context(dict(values)))


_FIELDS: Final = "<!--fields-->"
"""The placeholder in `games/_hidden.html` for the hidden fields of forms, which are new in every response.

Cached pieces and the keys of parts must not depend on them."""


@register.simple_block_tag(takes_context=True)
def with_fields(context: Context, content: str) -> SafeString:
    """The table, with the hidden fields of its forms filled in."""
    fields = cast(MarkedTemplate, get_template("games/_fields.html")).template.render(context)
    return SafeString(content.replace(_FIELDS, fields))


_NAMED: Final = re.compile(r'data-part="([a-z-]+)"')


class Part(template.Node):
    """An element with `data-part` and a key of its content.

    It is empty, marked `data-same`, if the requesting page shows this content already, as it says in `held`. With
    (hashable) values, the content sees only these, and is cached like a `piece`. Without, it sees the whole context.
    """

    child_nodelists = ("nodelist",)

    def __init__(self, nodelist: template.NodeList, values: Mapping[str, FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values

    def render(self, context: Context) -> SafeString:
        if self.values:
            values = [(name, value.resolve(context)) for name, value in self.values.items()]
            name, key, element = _part_of(self, context.template, *values)
        else:
            name, key, element = self.keyed(context)
        if f"{name}:{key}" in cast("frozenset[str]", context.get("held", frozenset())):
            return SafeString(f'<div data-part="{name}" data-key="{key}" data-same></div>')
        return element

    def keyed(self, context: Context) -> tuple[str, str, SafeString]:
        """The name of the part, the key of its content, and the element with both."""
        content = self.nodelist.render(context)
        match = _NAMED.search(content)
        assert match is not None
        key = blake2b(content.encode(), digest_size=6).hexdigest()
        return match[1], key, SafeString(f'{content[: match.end()]} data-key="{key}"{content[match.end() :]}')


@register.tag("part")
def _part(parser: Parser, token: Token) -> Part:
    words = token.split_contents()[1:]
    values = token_kwargs(words, parser)
    if words:
        raise template.TemplateSyntaxError(f"part takes names with values, not {words[0]}")
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return Part(nodelist, values)


@cached_by_language(20_000)
def _part_of(part: Part, page: template.Template | None, *values: tuple[str, object]) -> tuple[str, str, SafeString]:
    context = Context(dict(values))
    assert page is not None
    with context.bind_template(page):
        return part.keyed(context)


@register.simple_tag
def sealed_pack(sight: Sight) -> SafeString:
    """The promise of the pack of this deal, and of the next."""
    assert sight.sealed is not None
    names = tuple(common.called(seat, sight) for seat in sight.sealed.contributed)
    shared = bool(sight.shared)
    return piece("games/_sealed.html", sealed=sight.sealed, coming=sight.coming, names=names, shared=shared)


@register.simple_tag
def seat_at_table(seat: SeatSeen, sight: Sight) -> SafeString:
    """A seat at the edge of the board."""
    dealt = bool(sight.dealt)
    steady = replace(
        seat,
        place=0,
        tricks=0,
        cards=0,
        total=0,
        face_up="",
        reserve=None,
        reliability="",
        happened=(),
        owes=False,
        ready=False,
    )  # the other fields seldom change
    counts = {name: getattr(seat, name) for name in ("own", "level", "cards", "face_up", "owes", "tricks")} | {
        "dealt": dealt,
        "tricks_counted": bool(sight.trick_count),
    }
    inside = piece(
        "games/_seat.html",
        own=seat.own,
        face_up=seat.face_up,
        happened=seat.happened,
        line=common.seat_line(seat, sight),
        away=seat.away,
        said=last_said(seat, sight),
        plate=piece("games/_seat_plate.html", seat=steady, contract=sight.contract),
        counts=piece("games/_seat_counts.html", **counts) if dealt or seat.cards or seat.level else "",
    )
    edge = where(seat.place, sight)
    place = f' data-place="{seat.place}"' if edge == "ring" else ""
    turn = " data-turn" if seat.turn else ""
    return SafeString(
        f'<div class="seat inline-row shrinks relative" id="seat-{seat.number}" data-edge="{edge}"{place}{turn}>{inside}</div>'
    )


@register.simple_tag
def laid_card(laid: TrickCard, trick: TrickSeen, sight: Sight) -> SafeString:
    """A card of a trick where it lies on the board."""
    inside = piece(
        "games/_laid.html",
        code=laid.code,
        name=common.called(laid.seat, sight),
        led=laid.led,
        winning=laid.winning,
        lies=trick.winner is None,
    )
    edge = where(laid.place, sight)
    winning = " data-winning" if laid.winning else ""
    return SafeString(
        f'<li class="laid" id="laid-{laid.code}" data-edge="{edge}" data-place="{laid.place}" data-seat="{laid.seat}" data-laid="{laid.code}"{winning}>'
        f"{inside}</li>"
    )


@register.simple_tag
def seat_clock_row(seat: SeatSeen, sight: Sight) -> SafeString:
    """The time of a person, as a row of a list."""
    clock = sight.clock
    assert clock is not None
    return piece(
        "games/_clock_seat.html",
        own=seat.own,
        page=seat.page,
        name=seat.name,
        line=common.seat_line(seat, sight),
        kind=clock.kind,
        reserve=(seat.reserve or 0) if clock.bank or seat.reserve else None,
        reliability=seat.reliability,
    )


@register.filter
def taken_off(points: int) -> str:
    """A number of points with a minus sign."""
    return common.signed(-points)


@register.filter
def having(items: Iterable[Any], attribute: str) -> list[Any]:
    """The items whose attribute is true, as in `sight.seats|having:"turn"`."""
    return [item for item in items if getattr(item, attribute)]


@register.filter
def short_name(sight: Sight) -> str:
    return "Troggu" if sight.ruleset.startswith("troggu") else "Troccas"


# places


@register.filter
def sides(sight: Sight) -> tuple[Side, ...]:
    """The parties, the viewer's own first."""
    result = []
    for index in common.own_first(sight.parties, sight.viewer):
        party = sight.parties[index]
        mark, own, total = common.mark_of(index, sight), sight.viewer in party, common.signed(sight.totals[party[0]])
        result.append(Side(party, mark, own, common.side_names(sight, index), total))
    return tuple(result)


@register.filter
def bar_sides(sight: Sight) -> tuple[Side, ...]:
    """The sides whose totals are shown above the board: both, or only the viewer's own if there are more.

    Empty before partners are drawn.
    """
    every = sides(sight) if sight.drawn else ()
    return every if len(every) <= 2 else tuple(side for side in every if side.own)


@register.filter
def sheet_sides(sheet: HandSheet, sight: Sight) -> list[SheetSide]:
    """The sides of one deal, which may differ from those of the previous deal, the viewer's own first."""
    parties = sheet.parties or sight.parties
    return [
        SheetSide(
            "AB"[index] if len(parties) == 2 else "",
            common.seats_named(parties[index], sight),
            sheet.points[index],
            common.scores_of(parties[index], sheet.scores, sight),
        )
        for index in common.own_first(parties, sight.viewer)
    ]


@register.filter
def party_score(scores: Sequence[int], party: Sequence[int]) -> str:
    """The common score of a party, with its sign."""
    return common.signed(scores[party[0]])


@register.filter
def where(place: int, sight: Sight) -> str:
    """The edge of the table at which a place is.

    If the order of play is anticlockwise, the next player sits on the right. With five or more players the others sit
    in a ring, whose places the style sheet computes.
    """
    if len(sight.seats) == 3:
        return (("bottom", "left", "right") if sight.clockwise else ("bottom", "right", "left"))[place]
    if len(sight.seats) != 4:
        return "bottom" if place == 0 else "ring"
    edges = ("bottom", "left", "top", "right") if sight.clockwise else ("bottom", "right", "top", "left")
    return edges[place]


@register.filter
def edge_of(seat: int, sight: Sight) -> str:
    """The edge of the table at which a seat is, by its number."""
    return where(sight.seats[seat].place, sight)


@register.filter
def shows_draw(sight: Sight) -> bool:
    """Whether the draw for partners is shown in the middle: until somebody speaks in the first talk."""
    return sight.hand == 1 and sight.dealt < 2 and not any(seat.saying for seat in sight.seats)


# the hand


@register.simple_tag
def hand_rows(sight: Sight, player: Player | None) -> Rows:
    """The viewer's cards in rows: two suits in each, then the trumps and the Fool.

    Two suits share a row only if both fit on a phone; longer groups continue in the next row. Within a suit the order
    is that of the game. The player chooses whether the highest or the lowest comes first, the order of the suits, and
    whether the trumps come first. A large hand has one group that `ends_line`.
    """
    if player is None:
        return _rows(sight.cards, False, SUITS, False)
    low_first = player.hand_order == HandOrder.LOW_FIRST
    return _rows(sight.cards, low_first, player.suit_order, player.trumps_first)


@cached_by_language(2_000)
def _rows(cards: tuple[CardSeen, ...], low_first: bool, order: str, trumps_first: bool) -> Rows:
    held: dict[str, list[CardSeen]] = defaultdict(list)
    for card in cards:
        held[card.suit].append(card)
    groups = {
        suit: Group(suit, tuple(sorted(cards, key=_strength, reverse=not low_first))) for suit, cards in held.items()
    }
    rows: list[list[Group]] = []
    for pair in (order[:2], order[2:]):
        present = [groups[suit] for suit in pair if suit in groups]
        if sum(len(group.cards) for group in present) <= _LONGEST_ROW:
            rows.append(present)
        else:
            rows += [[part] for group in present for part in _split(group, _LONGEST_ROW)]
    trumps = [[part] for part in _split(groups["T"], _LONGEST_TRUMPS)] if "T" in groups else [[]]
    if "F" in groups:
        trumps[-1].append(groups["F"])
    rows = [*trumps, *rows] if trumps_first else [*rows, *trumps]
    return tuple(map(tuple, _in_lines([row for row in rows if row])))


def _in_lines(rows: list[list[Group]]) -> list[list[Group]]:
    """`rows`; if the hand is too large for one line, with the group marked that ends nearest to its middle."""
    groups = [group for row in rows for group in row]
    ends = dict(zip(groups, accumulate(len(group.cards) for group in groups), strict=True))
    if len(groups) < 2 or (count := ends[groups[-1]]) <= _LONGEST_LINE:
        return rows
    last = min(groups[:-1], key=lambda group: abs(2 * ends[group] - count))
    return [[replace(group, ends_line=group is last) for group in row] for row in rows]


register.filter("card_rank", names.card_rank)


@register.simple_tag
def reasons(sight: Sight, player: Player | None) -> list[Reasoned]:
    """The viewer's cards grouped by why they may be played or not, those that may be played first."""
    by_reason: dict[tuple[bool, str], list[CardSeen]] = defaultdict(list)
    for row in hand_rows(sight, player):
        for group in row:
            for card in group.cards:
                by_reason[card.playable, table.why_card(card, sight)].append(card)
    ordered = sorted(by_reason.items(), key=lambda item: not item[0][0])
    return [Reasoned(text, playable, tuple(cards)) for (playable, text), cards in ordered]


def _split(group: Group, longest: int) -> list[Group]:
    """A group in parts of nearly equal length that fit a row."""
    parts = -(-len(group.cards) // longest)
    size = -(-len(group.cards) // parts)
    return [Group(group.suit, group.cards[start : start + size]) for start in range(0, len(group.cards), size)]


def _strength(card: CardSeen) -> int:
    if card.suit == "F":
        return 0
    rank = card.code[1:]
    if rank in _COURTS:
        return _COURTS[rank]
    return -int(rank) if card.suit in _ROUND_SUITS else int(rank)


@register.filter
def may_claim(sight: Sight) -> bool:
    """Whether the viewer is offered to claim all remaining tricks."""
    return sight.question.claim and sight.question.mine and sight.kind != "guided" and len(sight.cards) > 1


@register.filter
def plays_card(sight: Sight) -> bool:
    """Whether the viewer is asked to play a card."""
    return sight.question.mine and sight.question.asked == "play"


@register.filter
def lays_away(sight: Sight) -> bool:
    """Whether the viewer is asked to discard cards."""
    return sight.question.mine and sight.question.asked in ("scart", "discard")


@register.filter
def game_words(game: str) -> list[Term]:
    """The terms of the players of this game for its cards and actions, with the reader's words."""
    rules = ruleset(game)
    exists = {
        "talk": rules.talk is not None,
        "liber": rules.talk is not None and rules.talk.third_frees_dealer,
        "scart": rules.scart > 0,
        "buob": rules.call is not None and rules.call.below_king == 3,
        "buob-sche": rules.call is not None and rules.call.exempting,
        "misere": rules.bidding is not None and rules.bidding.if_none_takes == "misere",
    }
    without = frozenset(concept for concept, is_there in exists.items() if not is_there)
    return list(game_terms("gsw" if game.startswith("troggu") else "rm-sursilv", without))


@register.filter
def verb_word(verb: str) -> table.Worded:
    """The word for a verb of the talk or the bidding."""
    return table.choice(Choice(verb, verb))


# the talk


@dataclass(frozen=True, slots=True)
class PhraseGroup:
    """Phrases under one heading in the language `lang`; empty for the reader's own language."""

    name: str
    lang: str
    phrases: tuple[names.Phrase, ...]


@register.simple_tag
def phrase_groups(sight: Sight) -> list[PhraseGroup]:
    """The phrase book in the reader's language: phrases that are true of the viewer's cards, then the others by
    theme."""
    true_ids = talking.all_true_phrases(set_of(card_of(card.code) for card in sight.cards))
    groups = [PhraseGroup(_("True of your hand"), "", tuple(map(names.by_id, true_ids)))]
    for theme in names.themes():
        others = tuple(phrase for phrase in names.phrases(theme=theme.id) if phrase.id not in true_ids)
        groups.append(PhraseGroup(theme.name, theme.lang, others))
    return [group for group in groups if group.phrases]


def last_said(seat: SeatSeen, sight: Sight) -> Said | None:
    """What a player said last in the talk of this round, while it goes on; None otherwise.

    If they have talked unprompted, until the first trick is gathered.
    """
    has_unprompted = not sight.trick_count and any(said.verb == SAY for said in seat.saying)
    if sight.question.asked not in ("talk", "free", "demand", "decide", "scart") and not has_unprompted:
        return None
    return next((said for said in reversed(seat.saying) if said.round == sight.dealt), None)


@register.filter
def middle(most: int) -> int:
    """A cut near the middle of the pack."""
    return (most + 1) // 2


def _own_seat(sight: Sight) -> SeatSeen | None:
    """The viewer's seat; None for a watcher."""
    return None if sight.viewer is None else sight.seats[sight.viewer]


def _others_present(sight: Sight) -> list[SeatSeen]:
    """The seats to which the viewer may give more time: those of the other people who play."""
    return [seat for seat in sight.seats if not seat.own and not seat.computer and not seat.away]


@register.simple_tag
def time_forms(sight: Sight) -> SafeString:
    """The forms of a player about time: to give others more, to propose a pause, to deal with the seats of absent
    players."""
    own, clock = _own_seat(sight), sight.clock
    if sight.status != "playing" or own is None or own.away or clock is None:
        return SafeString("")
    may_pause = clock.kind == "days" and not (clock.paused_until or clock.proposal or clock.live)
    return piece(
        "games/_time_forms.html",
        game=sight.public_id,
        others=tuple((seat.number, seat.name) for seat in _others_present(sight)),
        times=more_times(clock.kind),
        pause=_pause_days(clock) if may_pause else (),
        away=tuple((seat.number, seat.name, seat.away) for seat in sight.seats if seat.away and not seat.own),
    )


@register.simple_tag
def time_asked(sight: Sight, everybody_here: bool) -> SafeString:
    """The open proposals about time and the end of the game, and how the viewer ends an absence, a pause or live
    play."""
    own, clock = _own_seat(sight), sight.clock if sight.status == "playing" else None
    ending = sight.ending if sight.ending is not None and sight.ending.by is not None else None
    undo = sight.undo if sight.undo is not None and sight.undo.by is not None else None
    sits = own is not None and not own.away
    proposal = clock.proposal if clock is not None else None
    return piece(
        "games/_time_asked.html",
        game=sight.public_id,
        viewer=sight.viewer,
        away=own.away if own is not None and clock is not None else "",
        proposal=proposal,
        proposed=common.clock_proposal(sight) if proposal is not None else "",
        may_resume=sits and clock is not None and clock.paused_until is not None,
        sought=() if clock is None or own is not None else _sought(sight),
        may_offer_live=everybody_here
        and clock is not None
        and not (clock.live or clock.paused_until or proposal or undo or ending),
        may_leave_live=sits and clock is not None and clock.live,
        ending=ending,
        ending_proposed=log.ending_proposal(sight),
    )


def _sought(sight: Sight) -> tuple[tuple[int, str], ...]:
    """The seats for which a substitute is sought, with their players."""
    return tuple((seat.number, seat.name) for seat in sight.seats if seat.away == "sought")


def _pause_days(clock: ClockSeen) -> tuple[str, str]:
    """The first and the last day for the end of a pause, in the reader's time zone, as in 2026-12-24."""
    today = timezone.now().astimezone(ZoneInfo(clock.zone)).date()
    return (today + timedelta(days=1)).isoformat(), (today + LONGEST_PAUSE - timedelta(days=1)).isoformat()


@register.filter
def plays_on(sight: Sight) -> bool:
    """Whether the game goes on if its viewer leaves: it has a clock, and another person plays."""
    return sight.clock is not None and bool(_others_present(sight))


@cached_by_language(10)
def more_times(kind: str) -> tuple[tuple[int, str], ...]:
    """The amounts of time that can be given: in seconds, and in words."""
    least, most = (int(amount.total_seconds()) for amount in MORE_TIME[Kind(kind)])
    return tuple((seconds, common.duration(seconds, kind)) for seconds in (least, least * 2, least * 4, most))


_LEVELS: Final = {
    "beginner": gettext_lazy("beginner"),
    "club": gettext_lazy("club player"),
    "strong": gettext_lazy("strong"),
}


@register.filter
def level_word(level: str) -> str:
    """The word for a computer player of this level."""
    return str(_LEVELS.get(level, ""))


@register.simple_tag
def why_then(computers: OpenHands | None, line: Line, sight: Sight) -> str:
    """The reason of a computer player for the action in this line of the log, in its own words; empty if unknown.

    Lines about results, such as who wins a trick, have the number of the last card, but are no actions.
    """
    if computers is None or line.kind not in ACTION_KINDS:
        return ""
    reason = computers.reasons.get(line.number)
    return because(reason, sight.ruleset) if reason is not None else ""
