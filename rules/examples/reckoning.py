"""What the cards of a side count, who pays whom, and how cards rank: asked of the engine, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine import CODES, Card, Hand, Ruleset, cards_in, set_of
from domain.engine.cards import FOOL, value_of, values
from domain.engine.counting import DifferenceToPar, GroupsOf, Singly
from domain.engine.tapp import HALF
from rules.examples.kinds import BadExample, CountExample, OrderExample, SettleExample
from rules.examples.reading import hand_size

Multiplier: TypeAlias = Literal["few-points", "no-trick", "solo"]


@dataclass(frozen=True, slots=True)
class Counted:
    """A group of cards as it is counted: their values, what is taken off, what is left."""

    cards: tuple[str, ...]
    values: tuple[int, ...]
    less: int
    laid: bool = False  # these were laid away

    @property
    def points(self) -> int:
        """What the group counts."""
        return sum(self.values) - self.less


@dataclass(frozen=True, slots=True)
class CountAnswer:
    """The count of a side: group by group, or card by card where nothing is grouped.

    `others` are the points of the other side where there are two, else None. `par` and `score` are None where points are
    not measured against a par.
    """

    groups: tuple[Counted, ...]
    grouped: int  # how many cards make a full group, 1 where each counts for itself
    less: int  # what a full group counts less
    values: int
    points: int
    others: int | None
    par: int | None
    score: int | None
    whole: bool  # whether these may be all cards of a side
    wins: bool | None  # Troggu: whether more than half of the points are reached, None for half or elsewhere


@dataclass(frozen=True, slots=True)
class SettleAnswer:
    """Who gets (+) or pays (−) how many Rappen, by place; `multipliers` say why the stake is more than `stake`."""

    scores: tuple[int, ...]
    stake: int
    each: int  # what an opponent of the Tappist gets or pays, without sign
    multipliers: tuple[Multiplier, ...]
    winner: Literal["tappist", "opponents", "nobody"]
    double_at: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A card and what it counts; `apart` for a Fool that ranks nowhere."""

    code: str
    value: int
    apart: bool = False


def count(example: CountExample) -> CountAnswer:
    """The points of the cards by the ruleset's own count. Raises BadExample for so many cards as no side can have."""
    rules = example.rules
    _check_number(example, rules)
    cards = set_of(example.cards)
    hand = Hand(rules, dealer=0)
    sides = rules.sides
    own = sides[0] if example.dealer_side else sides[1]
    two_sides = max(sides) == 1 and rules.bidding is None
    if two_sides:
        hand.side_cards = [rules.pack & ~cards, rules.pack & ~cards]
    hand.side_cards[own] = cards
    hand.scart = example.laid
    points = rules.count.points(hand)
    par = score = None
    settlement = rules.settlement
    if isinstance(settlement, DifferenceToPar):
        dealer_par = settlement.par if settlement.dealer_par is None else settlement.dealer_par
        par = dealer_par if example.dealer_side else settlement.par
        score = settlement.scores(hand, points)[0 if example.dealer_side else 1]
    size, less = (rules.count.size, rules.count.less) if isinstance(rules.count, GroupsOf) else (1, 0)
    wins = None if rules.bidding is None or points[own] == HALF else points[own] > HALF
    return CountAnswer(
        tuple(_groups(rules, example)),
        size,
        less,
        values(cards),
        points[own],
        points[1 - own] if two_sides else None,
        par,
        score,
        _is_whole(example, rules),
        wins,
    )


def _is_whole(example: CountExample, rules: Ruleset) -> bool:
    """Whether the cards may be all that a side has won: then it has a score. A few cards only show how to count."""
    parties = 2 if rules.bidding is not None else max(rules.sides) + 1
    many = len(example.cards) * 2 * parties >= rules.pack.bit_count()
    return many or example.dealer_side or example.tricks is not None


def _check_number(example: CountExample, rules: Ruleset) -> None:
    laid = rules.scart if example.dealer_side and rules.bidding is None else 0
    if example.laid and example.laid.bit_count() != rules.scart:
        raise BadExample(
            ngettext("%(number)d card is laid away.", "%(number)d cards are laid away.", rules.scart)
            % {"number": rules.scart},
            "scart",
        )
    if example.laid and not example.dealer_side:
        raise BadExample(
            _("only the dealer’s side has the cards that were laid away: write dealer_side = true."), "scart"
        )
    if example.tricks is not None:
        wanted = example.tricks * rules.seats + laid
        if len(example.cards) != wanted:
            raise BadExample(
                _("so many tricks are %(wanted)d cards, here are %(given)d.")
                % {"wanted": wanted, "given": len(example.cards)},
                "cards",
            )
    if len(example.cards) > hand_size(rules) * rules.seats + max(laid, rules.tapp):
        raise BadExample(_("nobody can have won so many cards."), "cards")


def _groups(rules: Ruleset, example: CountExample) -> list[Counted]:
    """The cards in groups as players lay them: a dear card with cheap ones as long as there are any."""
    how = rules.count
    dear = sorted(example.cards, key=lambda card: (-value_of(card), -card))
    if not isinstance(how, GroupsOf):
        less = how.scart_less if isinstance(how, Singly) else 0
        tricks = [card for card in dear if not example.laid >> card & 1]
        laid = [card for card in dear if example.laid >> card & 1]
        found = [_counted(same, 0) for same in _same_value(tricks)]
        return [*found, *([_counted(laid, less * len(laid), laid=True)] if laid else [])]
    full, rest = divmod(len(dear), how.size)
    groups: list[list[Card]] = [[] for _ in range(full)]
    for at, card in enumerate(dear[: full * how.size]):
        row, column = divmod(at, full)
        groups[column if row % 2 == 0 else full - 1 - column].append(card)
    found = [_counted(group, how.less) for group in groups]
    if rest:
        found.append(_counted(dear[full * how.size :], how.rest_less))
    return found


def _same_value(cards: list[Card]) -> list[list[Card]]:
    return [same for value in (5, 4, 3, 2, 1) if (same := [card for card in cards if value_of(card) == value])]


def _counted(cards: list[Card], less: int, *, laid: bool = False) -> Counted:
    return Counted(tuple(CODES[card] for card in cards), tuple(value_of(card) for card in cards), less, laid)


def settle(example: SettleExample) -> SettleAnswer:
    """Who pays whom, by the ruleset's own settlement."""
    rules = example.rules
    hand = Hand(rules, dealer=0, options=dict(example.options))
    hand.contract = example.contract
    stake, double_at = int(hand.option["stake"]), int(hand.option["double_at"])
    if example.contract == "misere":
        scores = rules.settlement.scores(hand, example.points)
        return SettleAnswer(scores, stake, stake, (), "nobody", double_at)
    hand.tappist = example.tappist
    own = {example.tappist} if example.partner is None else {example.tappist, example.partner}
    if example.partner is not None:
        hand.partner = example.partner
    hand.take_sides(tuple(int(place not in own) for place in range(rules.seats)))
    losers = int(example.points[0] > HALF)
    hand.side_tricks = [1, 1]
    if example.no_trick:
        hand.side_tricks[losers] = 0
    scores = rules.settlement.scores(hand, example.points)
    opponent = next(place for place in range(rules.seats) if place not in own)
    each = abs(scores[opponent])
    multipliers: list[Multiplier] = []
    if each:
        if example.no_trick:
            multipliers.append("no-trick")
        elif example.points[losers] <= double_at:
            multipliers.append("few-points")
        if example.contract == "solo":
            multipliers.append("solo")
    winner: Literal["tappist", "opponents", "nobody"] = "nobody"
    if scores[example.tappist]:
        winner = "tappist" if scores[example.tappist] > 0 else "opponents"
    return SettleAnswer(scores, stake, each, tuple(multipliers), winner, double_at)


def order(example: OrderExample) -> tuple[Ranked, ...]:
    """The cards from the highest to the lowest; a Fool that wins nothing stands apart at the end."""
    apart = example.rules.bidding is None
    cards = sorted(cards_in(set_of(example.cards)), reverse=True)
    ranked = [Ranked(CODES[card], value_of(card)) for card in cards if not (apart and card == FOOL)]
    if apart and FOOL in cards:
        ranked.append(Ranked(CODES[FOOL], value_of(FOOL), apart=True))
    return tuple(ranked)
