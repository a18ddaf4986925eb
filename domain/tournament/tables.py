"""What tables there are: which sizes a game allows, who plays together there, what a deal adds up to.

The rules themselves are the engine's; here is only what a table of a club makes of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.errors import DomainError
from domain.seating.seat import IN_TWOS
from domain.seating.settings import (
    FIVE_ALONE,
    FIVE_DEALER_OUT,
    FOUR,
    SIX_IN_TEAMS,
    THREE_ALONE,
    THREE_PAIRS,
    TWO_PAIRS,
    Settings,
    Shape,
    Weights,
    alone,
)
from domain.standings.profile import HouseRules, TableSize
from domain.tournament.state import PAIR, Plan, Table

Sides = tuple[tuple[int, ...], ...]

ODD: Final = ("three", "five", "five-dealer-out", "six", "three-pairs", "bye")
"""What an organiser may allow for numbers that do not fit: a table of three or five where each plays alone, five where
the dealer looks on, six in two teams, three pairs of which one looks on in turn, sitting out."""

DEALER: Final = "dealer"
PAIR_LOOKS_ON: Final = "pair"
FORMS: Final = {
    "troccas": {"three": "troccas-3", "five": "troccas-5", "six": "troccas-6"},
}
"""The forms of a game for tables of other sizes, as the rules describe them; of the others none is described."""
_SHAPES: Final = {
    "three": THREE_ALONE,
    "five": FIVE_ALONE,
    "five-dealer-out": FIVE_DEALER_OUT,
    "six": SIX_IN_TEAMS,
    "three-pairs": THREE_PAIRS,
}
NOT_ONLINE: Final = ("five-dealer-out", "three-pairs")
"""No game has somebody who looks on in turn."""
MOST_DEALS_ONLINE: Final = 16
_FIRST_PRICE: Final = 100
_BYE_PRICE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Form:
    """What is played at one table: the ruleset, places that score together, what a deal adds up to."""

    ruleset: str
    sides: Sides
    total: int | None
    in_turn: str = ""


def game_of(ruleset_id: str) -> Ruleset:
    """The game, in its newest version. Raises DomainError (``unknown-ruleset``)."""
    try:
        return ruleset(ruleset_id)
    except UnknownRuleset:
        raise DomainError("unknown-ruleset", "ruleset", ruleset=ruleset_id) from None


def each_alone(ruleset_id: str) -> bool:
    """Whether this is a game each for himself at its usual table, where individuals have no partners (Troggu)."""
    rules = game_of(ruleset_id)
    return bool(rules.tables) or len(set(rules.sides)) == rules.seats


def odd_allowed(ruleset_id: str, kind: str) -> tuple[str, ...]:
    """What an organiser may choose among for odd numbers, by the game and by who enters."""
    if kind == PAIR:
        return ("three-pairs", "bye")
    if each_alone(ruleset_id):
        return ("bye",)
    forms = FORMS.get(ruleset_id, {})
    return tuple(name for name in ODD if name in forms or name in ("five-dealer-out", "bye"))


def settings_for(plan: Plan, weights: Weights | None = None) -> Settings:
    """The settings of the draw. Raises DomainError: ``unknown-ruleset``, ``not-a-choice``, ``needs-pairs``."""
    known = game_of(plan.rules.ruleset)
    allowed = odd_allowed(known.id, plan.kind)
    for name in plan.odd:
        if name not in allowed:
            raise DomainError("not-a-choice", "odd", given=name)
    if plan.method in IN_TWOS and plan.kind != PAIR:
        raise DomainError("needs-pairs", "method", method=plan.method)
    if plan.kind == PAIR and each_alone(known.id):
        raise DomainError("no-partners", "kind", ruleset=known.id)
    if plan.kind == PAIR and plan.method == "rotation":
        raise DomainError("needs-singles", "method", method=plan.method)
    bye = _BYE_PRICE
    shapes: list[Shape] = []
    if plan.kind == PAIR:
        shapes.append(TWO_PAIRS)
    elif each_alone(known.id):
        if plan.usual not in known.sizes:
            raise DomainError("not-a-choice", "usual", given=str(plan.usual))
        # The deals of a duplicate are compared among all tables, so these have one size.
        one_size = plan.online is not None and plan.online.duplicate
        low, high = (plan.usual, plan.usual) if one_size else (known.sizes[0], known.sizes[-1])
        shapes += alone(plan.usual, low, high)
    else:
        if known.seats != FOUR.size:
            raise DomainError("no-partners", "ruleset", ruleset=known.id)
        shapes.append(FOUR)
    sizes = {shape.size for shape in shapes}
    for place, name in enumerate(plan.odd):
        price = _FIRST_PRICE + 10 * place
        if name == "bye":
            # One who sits out against one odd table: named first, it is the cheaper of the two.
            bye = price - 50 if place == 0 else price
        elif _SHAPES[name].size not in sizes:
            shapes.append(replace(_SHAPES[name], price=price))
            sizes.add(_SHAPES[name].size)
    return Settings(shapes=tuple(shapes), bye_price=bye, weights=weights or Weights(), strict=plan.strict)


def check_online(plan: Plan) -> None:
    """Whether a plan can be played online, if it is to be. Raises DomainError: ``out-of-range`` for too many deals,
    ``not-online`` for a clock and for tables that no game is made for; of a duplicate, for all but the usual size."""
    online = plan.online
    if online is None:
        return
    rules = plan.rules
    for field, deals in (
        ("rules.deals", rules.deals),
        *(("rules.table_sizes", each.deals) for each in rules.table_sizes),
    ):
        if deals > MOST_DEALS_ONLINE:
            raise DomainError("out-of-range", field, low=1, high=MOST_DEALS_ONLINE)
    if plan.minutes:
        raise DomainError("not-online", "minutes")
    for name in plan.odd:
        if name in NOT_ONLINE or (online.duplicate and name != "bye"):
            raise DomainError("not-online", "odd", given=name)


def check_game(plan: Plan, table: Table) -> None:
    """Whether a game can be laid for a table, if the plan wants one. Raises DomainError (``not-online``): there is none of
    that size, or it is no table of the usual size in a duplicate."""
    online = plan.online
    if online is None:
        return
    people = len(table.people)
    usual = plan.usual if each_alone(plan.rules.ruleset) else FOUR.size
    rules = game_of(table.ruleset)
    playable = people in rules.sizes and not table.in_turn
    if playable:
        seats = ruleset(rules.id, seats=people)
        playable = table.sides == seats.parties(seats.sides)
    if not playable or (online.duplicate and people != usual):
        raise DomainError("not-online", "tables", table=table.number)


def rules_for(plan: Plan) -> HouseRules:
    """The house rules with the deals filled in of tables where somebody looks on, so that all play as many.

    A table of five plays a quarter more deals, three pairs half as many again, unless the club says otherwise.
    """
    known = {each.size: each for each in plan.rules.table_sizes}
    more = dict(known)
    if _dealer_looks_on(plan):
        more[5] = _longer(known.get(5, TableSize(5)), -(-plan.rules.deals * 5 // 4))
    if "three-pairs" in plan.odd:
        more[6] = _longer(known.get(6, TableSize(6)), -(-plan.rules.deals * 3 // 2))
    return replace(plan.rules, table_sizes=tuple(more.values()))


def _dealer_looks_on(plan: Plan) -> bool:
    """Whether this is how a table of five plays: of the two ways the one named first."""
    return next((name for name in plan.odd if name.startswith("five")), "") == "five-dealer-out"


def _longer(size: TableSize, deals: int) -> TableSize:
    return size if size.deals else replace(size, deals=deals)


def form_for(plan: Plan, seats: int, people: int) -> Form:
    """What is played at a table of so many entrants and people. A table no rule describes is played each alone, its sum open."""
    game = plan.rules.ruleset
    known = game_of(game)
    own = dict(plan.forms).get(people)
    if plan.kind == PAIR:
        if seats == 2 and people == 4:
            return Form(game, ((0, 2), (1, 3)), known.control_sum)
        if seats == 3 and people == 6:
            return Form(game, ((0, 3), (1, 4), (2, 5)), known.control_sum, PAIR_LOOKS_ON)
        return Form(game, tuple((place,) for place in range(people)), None)
    if each_alone(game):
        rules = game_of(own or game)
        return Form(rules.id, tuple((place,) for place in range(people)), rules.control_sum)
    if people == known.seats:
        return Form(game, known.parties(known.sides), known.control_sum)
    if people == 5 and _dealer_looks_on(plan):
        return Form(game, tuple((place,) for place in range(5)), known.control_sum, DEALER)
    name = own or FORMS.get(game, {}).get({3: "three", 5: "five", 6: "six"}.get(people, ""))
    if name and people in game_of(name).sizes:
        rules = ruleset(name, seats=people)
        return Form(name, rules.parties(rules.sides), rules.control_sum)
    return Form(game, tuple((place,) for place in range(people)), None)


def sides_in_turn(in_turn: str, deal: int) -> Sides:
    """Who plays together in a deal at a table where somebody looks on: the first place in the first deal, then the next."""
    if in_turn == DEALER:
        out = (deal - 1) % 5
        first, second, third, fourth = ((out + step) % 5 for step in range(1, 5))
        return (first, third), (second, fourth)
    out = (deal - 1) % 3
    one, two = ((out + step) % 3 for step in (1, 2))
    return (one, one + 3), (two, two + 3)


def sides_of(table: Table, deal: int) -> Sides:
    """Places that score together in a deal of this table: its own, or without who looks on."""
    return sides_in_turn(table.in_turn, deal) if table.in_turn else table.sides


def dealer_of(table: Table, deal: int) -> int:
    """The place that deals: the first place (online, the one whose turn it is) the first deal, then the next to the right;
    who looks on deals."""
    return (table.turn + deal - 1) % (3 if table.in_turn == PAIR_LOOKS_ON else len(table.people))
