"""A puzzle as its solver sees it, made only from the view of the player who decides; and lists of puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import Player
from domain.bots.puzzling import Theme
from domain.bots.reviewing import plain
from domain.engine import CODES, Action, View
from domain.engine.cards import in_hand_order
from domain.engine.legal import LegalChoice, LegalPlays
from games.puzzles.models import Attempt, RatedPuzzle, Solver
from games.puzzles.rating import Estimate
from games.puzzles.stored import Puzzle, all_puzzles, view_of
from games.read_models import Choice, Line, Question, TrickSeen
from games.selectors import rulesets
from games.selectors.lines import code_of, codes_of, hand_entries
from games.selectors.table import open_trick, question_of, trick_of

ZONE: Final = ZoneInfo("Europe/Zurich")
"""Days are those in Switzerland, as for the daily deal."""
NAMES: Final = ("Gion", "Mengia", "Toni", "Flurina", "Clau", "Barla", "Duri", "Anna")
"""Names for the players at the table, who were computer players."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    number: int
    name: str
    you: bool
    partner: bool
    dealer: bool
    tappist: bool
    called: bool
    cards: int
    tricks: int
    face_up: str


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card of the solver's hand; `action` plays it, and is empty if it may not be played or no card is asked for."""

    code: str
    action: str


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that is shown of a position.

    `lines`: what was said and seen besides the cards of the tricks. `others`: actions other than playing one card.
    `lay`: how many cards to discard (0: none), from `may_lay`; of `together`, all or none.
    """

    game: str
    table_size: int
    viewer: int
    rappen: bool
    question: Question
    seats: tuple[SeatSeen, ...]
    parties: tuple[tuple[int, ...], ...]
    cards: tuple[CardSeen, ...]
    others: tuple[Action, ...]
    choices: tuple[Choice, ...]
    lay: int
    may_lay: tuple[str, ...]
    together: tuple[str, ...]
    trick: TrickSeen | None
    tricks: tuple[TrickSeen, ...]
    lines: tuple[Line, ...]
    scart: tuple[str, ...]
    contract: str
    called: str
    cut_card: str


@dataclass(frozen=True, slots=True)
class Row:
    """A puzzle in a list, with whether the reader has solved it (None: not tried) and its rating."""

    name: str
    number: int
    game: str
    table_size: int
    theme: Theme
    solved: bool | None
    attempts: int
    mean: float


def named(name: str) -> Puzzle | None:
    return all_puzzles().get(name)


def position_of(puzzle: Puzzle) -> Position:
    """What the player who decides knows and is asked."""
    return position_in(view_of(puzzle))


def position_in(view: View) -> Position:
    """The position of a view whose seat has the turn."""
    seat, rules, legal = view.seat, view.ruleset, view.legal
    assert seat is not None
    question = question_of(view, seat)
    plays = tuple(dict.fromkeys(map(plain, legal))) if isinstance(legal, LegalPlays) else ()
    single = {action.cards[0]: str(action) for action in plays if len(action.cards) == 1 and not action.signal}
    entries = hand_entries(view, range(1, len(view.history) + 1), 1)
    count = len(view.counts)
    return Position(
        game=rules.id,
        table_size=count,
        viewer=seat,
        rappen="stake" in dict(view.options),
        question=question,
        seats=tuple(_seat(view, number) for number in range(count)),
        parties=rules.parties(rules.sides),
        cards=tuple(CardSeen(CODES[card], single.get(card, "")) for card in in_hand_order(view.held)),
        others=tuple(action for action in plays if str(action) not in single.values()),
        choices=question.choices,
        lay=legal.count if isinstance(legal, LegalChoice) else 0,
        may_lay=codes_of(legal.cards | legal.together) if isinstance(legal, LegalChoice) else (),
        together=codes_of(legal.together) if isinstance(legal, LegalChoice) else (),
        trick=open_trick(view) if view.trick else None,
        tricks=tuple(trick_of(trick, number, seat, count) for number, trick in enumerate(view.tricks, 1)),
        lines=tuple(line for entry in entries for line in entry.lines if line.kind not in _OF_TRICKS),
        scart=codes_of(view.scart or 0),
        contract=view.contract,
        called=code_of(view.called),
        cut_card="" if view.tricks or view.trick else code_of(view.cut_card),
    )


_OF_TRICKS: Final = ("trick-led", "played", "trick-won", "cut")
"""Lines that are left out: their cards are in the tricks that are shown; and the cut tells nothing."""


def _seat(view: View, number: int) -> SeatSeen:
    assert view.seat is not None
    away = (number - view.seat) % len(view.counts)
    return SeatSeen(
        number=number,
        name=NAMES[away],
        you=away == 0,
        partner=number in view.partners(),
        dealer=number == view.dealer,
        tappist=number == view.tappist,
        called=number == view.partner,
        cards=view.counts[number],
        tricks=sum(trick.winner == number for trick in view.tricks),
        face_up="" if view.tricks or view.trick else code_of(view.face_up[number]),
    )


# lists of puzzles


def attempt_of(puzzle: Puzzle, player: Player | None) -> Attempt | None:
    """This person's attempt at a puzzle; None if they have not tried it. One query at most."""
    if player is None:
        return None
    return Attempt.objects.filter(puzzle__name=puzzle.name, player=player.current).first()


def solver_of(player: Player | None) -> Solver | None:
    return Solver.objects.filter(player=player.current).first() if player is not None else None


def today(now: datetime | None = None) -> Puzzle | None:
    """The puzzle of the day, the same for everybody; None if there are no puzzles.

    All come up before one is repeated.
    """
    moment = (now or timezone.now()).astimezone(ZONE)
    return of_day(moment.date())


def of_day(day: date) -> Puzzle | None:
    """The puzzle of a day. The game changes from day to day, as long as there are puzzles of several games."""
    order = in_turn(list(all_puzzles().values()))
    return order[day.toordinal() % len(order)] if order else None


def in_turn(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The first of each game, then the second of each, and so on."""
    counts: dict[str, int] = {}
    ranked = []
    for puzzle in puzzles:
        counts[puzzle.game] = counts.get(puzzle.game, 0) + 1
        ranked.append((counts[puzzle.game], len(counts), puzzle))
    return [puzzle for _turn, _game, puzzle in sorted(ranked, key=lambda each: each[:2])]


def rows(player: Player | None, game: str = "", theme: str = "") -> list[Row]:
    """The puzzles of a game and a theme (empty: all). Two queries."""
    chosen = [puzzle for puzzle in all_puzzles().values() if game in ("", puzzle.game) and theme in ("", puzzle.theme)]
    rated: Mapping[str, RatedPuzzle] = {row.name: row for row in RatedPuzzle.objects.all()}
    tried: Mapping[str, bool] = (
        dict(Attempt.objects.filter(player=player.current).values_list("puzzle__name", "solved")) if player else {}
    )
    return [_row(puzzle, rated.get(puzzle.name), tried.get(puzzle.name)) for puzzle in chosen]


def _row(puzzle: Puzzle, rated: RatedPuzzle | None, solved: bool | None) -> Row:
    return Row(
        puzzle.name,
        number_of(puzzle),
        puzzle.game,
        puzzle.rules.seats,
        puzzle.theme,
        solved,
        rated.attempts if rated is not None else 0,
        rated.mean if rated is not None else Estimate().mean,
    )


def number_of(puzzle: Puzzle) -> int:
    """The number of a puzzle in its game, counted from 1."""
    return int(puzzle.name.rpartition("-")[2])


def games() -> list[str]:
    """The games that have puzzles, in the site's usual order."""
    with_puzzles = {puzzle.game for puzzle in all_puzzles().values()}
    return [game for game in rulesets.ORDER if game in with_puzzles]


def themes(game: str = "") -> list[Theme]:
    """The themes of the puzzles of a game (empty: of all games)."""
    with_puzzles = {puzzle.theme for puzzle in all_puzzles().values() if game in ("", puzzle.game)}
    return [theme for theme in Theme if theme in with_puzzles]


def next_for(player: Player | None, game: str = "") -> Puzzle | None:
    """A puzzle that this person has not tried and that is about as hard as suits them; None if there is none.

    Three queries.
    """
    solver = solver_of(player)
    level = solver.mean if solver is not None else 0.0
    left = [row for row in rows(player, game) if row.solved is None]
    best = min(left, key=lambda row: (abs(row.mean - level), row.number, row.name), default=None)
    return all_puzzles()[best.name] if best is not None else None
