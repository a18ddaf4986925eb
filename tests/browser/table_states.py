"""Every state a table can be in, as its viewer sees it: played by chance in the engine, without a site behind it."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from domain.engine import Hand, Match, Ruleset
from games.models import Game, Memory
from games.plans.selectors import PlansSeen
from games.read_models import DealCount, HandSheet, Line, Question, Said, SideCount, Sight, UndoSeen
from games.selectors import lines
from games.selectors import replay as replays
from games.selectors import table as selectors
from tests.domain.engine.tables import any_action, lopsided
from tests.games.test_wording import SIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

PILE = tuple(f"{suit}{rank}" for suit in "COSB" for rank in (*"KQNJ", *range(1, 8)))
NAMES = (
    "Mengia", "Gion Antoni Cathomas-Muoth", "Maria Catrina Deplazes-Cadal", "Toni", "Ursulina Mengia Caduff-Tena",
    "Placi", "Bartholomeus Schwarzenbacher", "Flurin",
)  # fmt: skip
"""Short, and as long as a name may be."""
GAMES = 3
"""So many games of two deals are played: nearly every question comes up."""

AHEAD = PlansSeen(
    plan=(), lasts=False, every_hand=False, at_once=False, talk=(), ended="", soon=False, may_plan=False, may_talk=True,
    every_deal=False, small_at_once=False, small=False, may_lead=False, may_call_first=False,
)  # fmt: skip
"""Nothing is planned, and the talk may be."""


def sight_of(rules: Ruleset, match: Match, hand: Hand | None, viewer: int) -> Sight:
    """The table of one person as that person sees it, `viewer`; between two deals without `hand`."""
    view = hand.view(viewer) if hand is not None else None
    question = Question("sit", None, mine=True) if view is None else selectors.question_of(view, viewer)
    own = [move.verb for seat, move in hand.history if seat == viewer] if hand is not None else []
    totals = [0] * rules.seats
    table: Any = SimpleNamespace(
        game=SimpleNamespace(status=Game.Status.PLAYING, totals=totals, memory=Memory.LAST),
        rules=rules,
        row=SimpleNamespace(dealer=match.dealer, number=2),
        seats=[
            SimpleNamespace(
                player=SimpleNamespace(
                    display_name=name, public_id=name, is_computer=True, is_program=False, computer="", page=""
                )
            )
            for name in NAMES[: rules.seats]
        ],
        hands=[],
    )
    seats = tuple(selectors._seats(table, view, view, viewer, set(), None))
    return replace(
        SIGHT,
        ruleset=rules.id,
        clockwise=rules.clockwise,
        viewer=viewer,
        parties=rules.parties(rules.sides),
        seats=tuple(replace(seat, saying=tuple(map(with_phrase, seat.saying))) for seat in seats),
        dealer=match.dealer,
        rounds=view.rounds if view is not None else 1,
        dealt=view.dealt if view is not None else 0,
        question=question,
        may_hint=view is not None and question.mine,
        undo=UndoSeen(3, own[-1], at_once=True) if own else None,
        cards=selectors._cards(hand, viewer) if hand is not None else (),
        trick=selectors.open_trick(view) if view is not None and view.trick else None,
        last_trick=selectors._last_trick(view, viewer),
        trick_count=len(view.tricks) if view is not None else 0,
        cut_card=lines.code_of(view.cut_card) if view is not None and not view.tricks else "",
        scart=lines.codes_of(view.scart or 0) if view is not None else (),
        tapp=lines.codes_of(view.tapp or 0) if view is not None else (),
        tapp_seen=lines.tapp_of(view) if view is not None else None,
        called=lines.code_of(view.called) if view is not None else "",
        contract=view.contract if view is not None else "",
        totals=tuple(totals),
        lines=tuple(Line(number, "trick-won", seat=number % rules.seats, count=number) for number in range(1, 31)),
        draws=False,
    )


def with_phrase(said: Said) -> Said:
    """Whoever allows says something, a long phrase."""
    return replace(said, phrases=("encunter-salvaplauna",)) if said.verb == "allow" else said


def demands(sight: Sight) -> int:
    """How much has to find room: the more, the worse."""
    marks = sum(bool(card.pair or card.call or card.knock) for card in sight.cards)
    laid = len(sight.trick.cards) if sight.trick is not None else 0
    told = sum(len(seat.happened) for seat in sight.seats)
    return len(sight.cards) + 3 * len(sight.question.choices) + 4 * laid + 2 * marks + 2 * told + len(sight.tapp)


def states(rules: Ruleset, games: int = GAMES) -> dict[str, Sight]:
    """By name: each question, asked of the viewer or of another, the most demanding that came up; and before and after a deal."""
    chance = random.Random(rules.id)
    found: dict[str, Sight] = {}
    for _match, hand, sight in _walk(rules, chance, games):
        name = f"{sight.question.asked} {'mine' if sight.question.mine else 'other'}"
        if sight.trick is None and sight.last_trick is not None and hand.turn != sight.viewer:
            name = "gathered"
            for seat in sight.seats:
                if any(told.kind == "taken-back" for told in seat.happened):
                    name = f"taken back at place {seat.place}"
        elif any(seat.owes and seat.own for seat in sight.seats):
            name = "owing"
        elif sight.trick is not None and (pair := _pair_at(sight)) is not None:
            name = f"pair at place {pair}"
        if name not in found or demands(sight) > demands(found[name]):
            found[name] = sight
    some = next(iter(found.values()))
    sheets = tuple(
        HandSheet(number, number, 0, "played", tuple(20 for _ in some.parties), tuple(5 for _ in some.seats), True)
        for number in range(1, 5)
    )
    waiting = replace(
        some,
        may_hint=False,
        cards=(),
        trick=None,
        last_trick=None,
        cut_card="",
        scart=(),
        tapp=(),
        tapp_seen=None,
        called="",
    )
    found["arrange mine"] = replace(waiting, question=Question("arrange", 0, mine=True, pile=PILE))
    found["sit"] = replace(waiting, question=Question("sit", None, mine=True), sheets=sheets, last_result=sheets[0])
    counted = SideCount(6, ("CK", "T21", "F"), 18, 1, 4, 0, 24, 42, 23, 20)
    found["sit counted"] = replace(
        found["sit"],
        counted=DealCount(
            1, tuple(counted for _ in some.parties), ("C5", "B6") if rules.scart or rules.tapp else (), some.lines[:1]
        ),
    )
    ended = replace(found["gathered"], cards=(), scart=(), called="")
    found["over"] = replace(ended, status="finished", question=Question("", None, mine=False), sheets=sheets)
    if "play mine" in found:
        found["undo"] = replace(found["play mine"], undo=UndoSeen(3, "play", by=1, mine=True), may_hint=False)
    return found


def random_states(rules: Ruleset, chance: random.Random) -> list[Sight]:
    """Of a random game, one random moment of each question at which the viewer, or another, is asked it."""
    found: dict[tuple[str, bool], list[Sight]] = defaultdict(list)
    for _match, _hand, sight in _walk(rules, chance, 1):
        if sight.cards:
            found[sight.question.asked, sight.question.mine].append(sight)
    return [chance.choice(sights) for sights in found.values()]


def accounts(rules: Ruleset, games: int = GAMES) -> dict[int, Sight]:
    """By the number of sides: a table after a deal, the one whose account has the most to tell; the score sheet has as many rows
    as a game of this size."""
    chance = random.Random(f"accounts {rules.id}")
    found: dict[int, tuple[int, Sight]] = {}
    for match, hand, sight in _walk(rules, chance, games, ends=True):
        sheet = replays.sheets_of_recorded([hand])[0]
        counted = selectors._counted(hand, sheet, sight.viewer)
        if counted is None:
            continue
        told = 3 * len(counted.told) + max(len(side.honours) for side in counted.sides)
        if told > found.get(len(sheet.parties), (-1, sight))[0]:
            rows = tuple(replace(sheet, number=number) for number in range(1, max(rules.seats, 4) + 1))
            found[len(sheet.parties)] = (
                told,
                replace(
                    sight,
                    question=Question("sit", None, mine=True),
                    seats=tuple(
                        replace(seat, saying=(), cards=0, tricks=0, team="", tappist=False, called=False, level="club")
                        for seat in sight.seats
                    ),
                    dealt=0,
                    trick_count=0,
                    contract="",
                    cards=(),
                    trick=None,
                    tapp=(),
                    scart=(),
                    called="",
                    undo=None,
                    may_hint=False,
                    rappen="stake" in match.options,
                    options=tuple(match.options.items()),
                    sheets=rows,
                    last_result=sheet,
                    counted=counted,
                    totals=tuple(4 * score for score in sheet.scores),
                ),
            )
    return {sides: sight for sides, (_told, sight) in found.items()}


def _pair_at(sight: Sight) -> int | None:
    """Where the player sits who has laid two cards into this trick."""
    places = [card.place for card in sight.trick.cards] if sight.trick is not None else []
    return next((place for place in places if places.count(place) > 1), None)


def _walk(
    rules: Ruleset, chance: random.Random, games: int, *, ends: bool = False
) -> Iterator[tuple[Match, Hand, Sight]]:
    """Of random games every moment, for whoever is on turn and for the next; or, of each deal, its end, for one who sits there."""
    for _ in range(games):
        match = Match(rules, {"hands": 2}, dealer=chance.randrange(rules.seats))
        while not match.over:
            hand = match.deal(lopsided(rules, match.dealer, chance))
            while not hand.over:
                for viewer in {hand.turn, (hand.turn + 1) % rules.seats} if not ends else ():
                    yield match, hand, sight_of(rules, match, hand, viewer)
                match.push(any_action(hand, chance))
            if ends:
                yield match, hand, sight_of(rules, match, hand, chance.randrange(rules.seats))
