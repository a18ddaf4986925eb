"""What happened at a table since its viewer was last here: at most one screen, made only from what they may know.

Also a player's games as data that a device may keep, made from projections that contain no card. Only if the player chose
so, the data includes their own hand and the table as they see it. Moments are written in full, because "today" is another
day when it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts import availability
from accounts.models import Player
from core.sursilvan import in_a_row, joined
from games.models import Game, Seat
from games.mygames import selectors, services
from games.mygames.services import Stretch
from games.read_models import HandSheet, Line, Sight
from games.selectors.table import sight_of
from games.text import common, log, table
from games.text.common import amount, name_of, seats_named, side_names
from games.text.log import log_line
from rules.text import names

MOST_HANDS: Final = 3
"""The latest hands, which are described one by one; earlier ones are summed up in one sentence."""
MOST_TRICKS: Final = 2
"""The latest tricks, which are described card by card, if the table remembers more of them."""
MOST_EVENTS: Final = 5
MOST_WORDS: Final = 4
"""Lines from before the play (bids, talk, discards); half as many once tricks have been gathered."""

_PLAY: Final = ("trick-led", "played", "trick-won")
_SEEN_BY_ALL: Final = frozenset(
    {
        *_PLAY, "spoke", "bid", "partner-called", "partner-shown", "alone-shown", "must-play", "called", "answered", "took",
        "jack-given", "jack-kept", "no-jack", "jack-back", "taken-back", "fool-owed", "fool-paid", "fool-lost",
    }
)  # fmt: skip
"""What everybody at the table hears or sees, so that a mail may contain it."""
_EVENTS: Final = frozenset(
    {
        "drawn", "absent", "left-seat", "left-sought", "returned", "substitute-asked", "substitute-sought", "search-ended", "nobody-came",
        "substituted", "vacation", "more-time", "paused", "resumed", "resumed-by-itself", "live-begun", "live-ended", "resigned", "expired", "called-off", "ended",
        "undone", "undone-alone",
    }
)  # fmt: skip
"""Events at the table that a player wants to know of afterwards. Proposals are over, or shown at the table anyway."""
_PASSING: Final = (
    frozenset(
        {
            "sat",
            "ready",
            "hinted",
            "dealt",
            "cut",
            "packets",
            "game-finished",
            "end-proposed",
            "end-agreed",
            "end-declined",
            "end-withdrawn",
        }
    )
    | common.TIME_KINDS
    | log.UNDO_KINDS
)
"""Lines that are left out of the account of a hand as no longer of interest; those in `_EVENTS` are reported
separately."""


@dataclass(frozen=True, slots=True)
class Part:
    """What happened in one hand or at the table: a heading and sentences."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Since:
    """An account of what one viewer has missed. `question` is what is asked now, `time` is the time left for it."""

    last_here: datetime | None
    ago: str  # how long ago that was
    parts: tuple[Part, ...]
    missing: tuple[str, ...]  # players who are away, and who acts for them
    totals: str
    question: str
    mine: bool
    waiting: str  # the people who wait for the viewer
    time: str


def account(sight: Sight, news: Stretch) -> Since | None:
    """The `news` for the viewer of `sight`; None for a watcher, and if nothing worth reporting happened."""
    if sight.viewer is None:
        return None
    new_lines = [line for line in sight.lines if news.after < line.number <= news.until]
    parts = [*_ended(sight, new_lines), *_running(sight, new_lines), *_at_the_table(sight, new_lines)]
    if not parts:
        return None
    return Since(
        last_here=news.last_here,
        ago=timesince(news.last_here, timezone.now(), depth=1) if news.last_here is not None else "",
        parts=tuple(parts),
        missing=tuple(_missing(sight)),
        totals=_totals(sight) if sight.hands_played else "",
        question=table.game_result(sight) or table.proposal_or_prompt(sight),
        mine=sight.question.mine,
        waiting=_waiting(sight),
        time=common.table_line(sight),
    )


def for_viewer(game: Game, player: Player | None, sight: Sight) -> Since | None:
    """What `player` has missed at this table; None if nothing. One query besides those of the sight."""
    if player is None or sight.viewer is None or sight.kind != Game.Kind.PLAY:
        return None
    news = services.news_for(game, player)
    return account(sight, news) if news is not None else None


def played(sight: Sight, news: Stretch) -> Sequence[str]:
    """The part of `news` that everybody at the table has seen: results of hands, what was said and played.

    For mails.
    """
    new_lines = [line for line in sight.lines if news.after < line.number <= news.until]
    parts = [*_ended(sight, new_lines), *_running(sight, [line for line in new_lines if line.kind in _SEEN_BY_ALL])]
    return [sentence for part in parts for sentence in part.sentences]


# hands that are over


def _ended(sight: Sight, new_lines: Sequence[Line]) -> list[Part]:
    numbers = {line.hand for line in new_lines if line.kind in ("hand-played", "hand-passed", "hand-thrown-in")}
    sheets = [sheet for sheet in sight.sheets if sheet.number in numbers]
    counted = [sheet for sheet in sheets if sheet.status != "thrown-in"]
    early, late = counted[:-MOST_HANDS], counted[-MOST_HANDS:]
    if len(early) == 1:  # a summary of one hand is no shorter than its description
        early, late = [], counted
    parts = [_together(sight, early)] if early else []
    parts += [Part(_heading(sheet.ordinal), (table.hand_result(sheet, sight),)) for sheet in late]
    thrown = len(sheets) - len(counted)
    if thrown:
        sentence = ngettext(
            "%(times)d deal was thrown in.", "%(times)d deals were thrown in.", thrown
        ) % {"times": thrown}  # fmt: skip
        parts.append(Part(_("Thrown in"), (sentence,)))
    return parts


def _together(sight: Sight, sheets: Sequence[HandSheet]) -> Part:
    """A summary of several hands in one sentence."""
    seat = sight.viewer or 0
    score = amount(sum(sheet.scores[seat] for sheet in sheets if sheet.scores), sight)
    return Part(
        _("Hands %(first)d to %(last)d") % {"first": sheets[0].ordinal, "last": sheets[-1].ordinal},
        (_("Together %(score)s for you.") % {"score": score},),
    )


def _heading(ordinal: int) -> str:
    return _("Hand %(number)d") % {"number": ordinal}


# the current hand


def _running(sight: Sight, new_lines: Sequence[Line]) -> list[Part]:
    ended = {sheet.number for sheet in sight.sheets if sheet.status != "open"}
    if sight.hand in ended:
        return []
    lines = [line for line in new_lines if line.hand == sight.hand and line.kind not in _PASSING | _EVENTS]
    start = next((index for index, line in enumerate(lines) if line.kind in _PLAY), len(lines))
    words = MOST_WORDS // 2 if sight.trick_count else MOST_WORDS
    sentences = [log_line(line, sight) for line in lines[:start]][-words:]
    won = [line for line in lines[start:] if line.kind == "trick-won" and not line.cards]
    tricks = _by_trick(lines[start:])
    won += [line for trick in tricks[:-MOST_TRICKS] for line in trick if line.kind == "trick-won"]
    if won:
        sentences.append(_tricks(sight, won))
    sentences += [joined(" ", [log_line(line, sight) for line in trick]) for trick in tricks[-MOST_TRICKS:]]
    return [Part(_heading(sight.hands_played + 1), tuple(sentences))] if sentences else []


def _tricks(sight: Sight, won: Sequence[Line]) -> str:
    """The winners of tricks whose cards are no longer shown, in one sentence."""
    counts = Counter(line.seat for line in won if line.seat is not None)
    winners = [
        _("%(name)s %(number)d") % {"name": seats_named([seat], sight), "number": number}
        for seat, number in sorted(counts.items(), key=lambda item: (item[0] != sight.viewer, -item[1], item[0]))
    ]
    fields = {"first": won[0].count, "last": won[-1].count, "winners": in_a_row(winners)}
    if len(won) == 1:
        return log_line(won[0], sight)
    if len(counts) > 1:
        return _("Tricks %(first)d to %(last)d: %(winners)s.") % fields
    (seat,) = counts
    if seat == sight.viewer:
        return _("You won tricks %(first)d to %(last)d.") % fields
    return _("%(name)s won tricks %(first)d to %(last)d.") % {**fields, "name": name_of(seat, sight)}


def _by_trick(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines whose cards are still shown, trick by trick."""
    tricks: list[list[Line]] = []
    for line in lines:
        if line.kind == "trick-won" and not line.cards:
            continue
        if line.kind == "trick-led" or not tricks:
            tricks.append([])
        tricks[-1].append(line)
    return tricks


# the people


def _at_the_table(sight: Sight, new_lines: Sequence[Line]) -> list[Part]:
    """The latest event of each kind for each seat: of ten days of vacation, only the last one."""
    latest: dict[tuple[str, int | None, str], Line] = {}
    for line in new_lines:
        if line.kind in _EVENTS:
            key = (line.kind.removesuffix("-by-itself"), line.seat, line.name)
            latest.pop(key, None)
            latest[key] = line
    sentences = [log_line(line, sight) for line in list(latest.values())[-MOST_EVENTS:]]
    return [Part(_("At the table"), tuple(sentences))] if sentences else []


def _missing(sight: Sight) -> Iterable[str]:
    """Sentences about the players who do not play themselves now."""
    for seat in sight.seats:
        if seat.away and sight.status == "playing":
            if seat.own and seat.away == "sought":
                yield _("Somebody else is sought for your seat. Until it is taken you can come back.")
            elif seat.own:
                yield _("A computer player acts for you until you come back.")
            elif seat.away == "sought":
                yield _("A substitute is sought for the seat of %(name)s.") % {"name": seat.name}
            else:
                yield _("A computer player acts for %(name)s.") % {"name": seat.name}


def _waiting(sight: Sight) -> str:
    """The people who wait for the viewer; empty if nobody does."""
    if not sight.question.mine:
        return ""
    people = [name_of(seat.number, sight) for seat in sight.seats if not (seat.own or seat.computer or seat.away)]
    if not people:
        return ""
    return ngettext("%(names)s waits for you.", "%(names)s wait for you.", len(people)) % {"names": in_a_row(people)}


def _totals(sight: Sight) -> str:
    own = [party for party in sight.parties if sight.viewer in party]
    parties = [*own, *(party for party in sight.parties if party not in own)]
    scores = [
        _("%(side)s %(total)s")
        % {"side": side_names(sight, sight.parties.index(party)), "total": amount(sight.totals[party[0]], sight)}
        for party in parties
    ]
    return joined("; ", scores)


ENOUGH_PLAYED: Final = 3
"""Games are counted up to this number, from which on we know that somebody comes back."""


def games_as_data(player: Player, now: datetime | None = None, *, hands: bool = False) -> dict[str, Any]:
    """The first page of the player's unfinished games, as plain data in the reader's language.

    `player` (public id), `language`, `at` (ISO), `heading` (when it was seen, in words), `waiting` (counted up to 100);
    `games`, each with `title`, `line`, `group` (0 waits for the player, 1 for others, 2 practice), `until` (words) and
    `until_at` (ISO); `more`, how many games are left out; `played`, in how many games the player ever sat, counted up
    to three. With `hands`, which the player must have chosen for the device, the first games also have `table`
    (`hand_as_data`); without it, the data contains no card.
    """
    moment = now or timezone.now()
    zone = availability.zone_of(player)
    page = selectors.open_games(player)
    lines = selectors.game_lines(page, player)
    played = Seat.objects.filter(player=player, game__kind=Game.Kind.PLAY).values_list("pk")[:ENOUGH_PLAYED]
    return {
        "player": player.public_id,
        "language": get_language(),
        "at": moment.isoformat(),
        "heading": _("Your games as last seen on %(when)s") % {"when": _in_full(moment.astimezone(zone))},
        "waiting": selectors.waiting(player),
        "hands": hands,
        "games": [
            _game(line, zone)
            | ({"table": hand_as_data(seat.game, player)} if hands and index < MOST_WITH_HANDS else {})
            for index, (line, seat) in enumerate(zip(lines, page, strict=True))
        ],
        "more": page.paginator.count - len(lines),
        "played": len(played),
    }


def _game(line: selectors.GameLine, zone: tzinfo) -> dict[str, Any]:
    # While a game of days is played live, the list shows no time, though the clock has one.
    until = line.until if line.time else None
    words = _("until %(when)s") % {"when": _in_full(until.astimezone(zone))} if until is not None else ""
    return {
        "title": line.title,
        "line": line.line,
        "group": line.group,
        "until": words,
        "until_at": until and until.isoformat(),
    }


def _in_full(local: datetime) -> str:
    """ "Saturday, November 21, 20:14", in the reader's language."""
    fields = {
        "weekday": date_format(local, "l"),
        "day": date_format(local, "MONTH_DAY_FORMAT"),
        "time": date_format(local, "H:i"),
    }
    return _("%(weekday)s, %(day)s, %(time)s") % fields


MOST_WITH_HANDS: Final = 12
"""How many games include their hands: for each of them, its log must be read."""


def hand_as_data(game: Game, player: Player) -> dict[str, Any]:
    """The player's hand in a game, in the reader's language, with nothing about other hands.

    `game` (public id), `number`, `prompt`, `trick` (who played what, in words), `asked` (whether they may play now),
    `hand` (`code`, `name`, and `playable`: whether it may be played now).
    """
    seen = sight_of(game, player)
    asked = seen.question.mine and seen.question.asked == "play"
    trick_cards = seen.trick.cards if seen.trick is not None else ()
    return {
        "game": seen.public_id,
        "number": seen.number,
        "prompt": table.proposal_or_prompt(seen),
        "asked": asked,
        "trick": [f"{name_of(card.seat, seen)}: {names.card_label(card.code)}" for card in trick_cards],
        "hand": [
            {"code": card.code, "name": names.card_label(card.code), "playable": asked and card.playable}
            for card in seen.cards
        ],
    }
