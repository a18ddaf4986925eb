"""The engine's answers to an example, as data; `showing` puts them into words.

What may be played, who wins, the effect of a call, what cards count, who pays whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine import CODES, Action, Card, Hand, Illegality, Ruleset, cards_in, set_of
from domain.engine.cards import BIT, FOOL, KINGS, LANE_OF, TRUMPS, in_hand_order, letter_of, value_of, values
from domain.engine.counting import DifferenceToPar, GroupsOf, Singly
from domain.engine.jack import EarlyCall
from domain.engine.legal import LegalPlays, LegalWords, Reason, why_these
from domain.engine.state import Happening, Trick
from domain.engine.tapp import HALF
from domain.engine.tricks import TRUMPS_FIRST
from rules.examples import reading
from rules.examples.position import Reached, push, reach

Winning: TypeAlias = Literal["high-fool", "only-trump", "highest-trump", "trumps-led", "suit", "alone-in-suit"]
Fate: TypeAlias = Literal["", "wins", "own", "owed", "taken"]


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """A card of the hand: `why` it may not be played, None if it may; `pair` the companion that may go with it."""

    code: str
    why: Illegality | None
    pair: str = ""
    call: bool = False


@dataclass(frozen=True, slots=True)
class PlayAnswer:
    """What may be played: why these cards (`reason`), the suit to follow (a letter or ""), each card of the hand."""

    reason: Reason
    suit: str
    cards: tuple[CardAnswer, ...]


@dataclass(frozen=True, slots=True)
class Put:
    """A card in a trick, and the place, from 0, of its player."""

    place: int
    code: str


@dataclass(frozen=True, slots=True)
class Event:
    """An event that everybody sees, with the engine's name for it, and the place it concerns."""

    kind: str
    place: int
    code: str = ""
    back: str = ""


@dataclass(frozen=True, slots=True)
class Won:
    """Why a card takes the trick; `place` is that of its player.

    `low_wins`: it beat a numeral with more pips, as in round suits. `lane` is the suit that had to be followed.
    `fool_led`: the Fool was led, and a later card set the suit; with `called_trumps`, the Fool had called for trumps
    (the house rules), and that suit counts only if no trump fell.
    """

    kind: Winning
    place: int
    card: Card
    lane: int
    low_wins: bool = False
    fool_led: bool = False
    called_trumps: bool = False


@dataclass(frozen=True, slots=True)
class TrickAnswer:
    """Who wins a trick and why, which cards are gathered in the end and what they are worth, card by card.

    A Fool that stays with another side is not counted in `points`.
    """

    laid: tuple[Put, ...]
    won: Won
    gathered: tuple[Put, ...]
    points: int
    events: tuple[Event, ...]
    fool: Fate
    fool_place: int
    done: tuple[tuple[int, str], ...] = ()  # what was said or taken when the trick was complete: place, action


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The effect of a call: who may call (None: nobody), what happens, and the trick afterwards."""

    caller: int | None
    trick: TrickAnswer


@dataclass(frozen=True, slots=True)
class RecordAnswer:
    """Tricks of a recorded hand, and how it ended if the last is among them: points per side, scores per place."""

    tricks: tuple[TrickAnswer, ...]
    first: int
    of: int
    parties: tuple[tuple[int, ...], ...]
    contract: str
    tappist: int | None
    points: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


def what_may_be_played(example: reading.PlayExample) -> PlayAnswer:
    """Every card of the hand, high to low as at the table, and whether it may be played."""
    hand = reach(example).hand
    view = hand.view(hand.turn)
    legal = hand.legal
    assert isinstance(legal, LegalPlays)
    return PlayAnswer(
        why_these(view, legal),
        letter_of(view.lane),
        tuple(
            CardAnswer(
                CODES[card],
                hand.why_illegal(Action("play", (card,))),
                CODES[card - legal.below_king] if legal.pairs & BIT[card] else "",
                bool(legal.calls & BIT[card]),
            )
            for card in in_hand_order(view.held)
        ),
    )


def who_wins(example: reading.TrickExample) -> TrickAnswer:
    """Who wins the trick. Nobody calls; whoever played king and companion takes back what the example says."""
    reached = reach(example)
    hand = reached.hand.copy()
    done = []
    while not hand.over and hand.asked in ("call", "fool", "take"):
        action = _quietly(hand, example)
        if action.verb == "take":
            done.append((reached.place(hand.turn), str(action)))
        hand.push(action)
    return _gathered_answer(reached, hand, example.trick, tuple(done))


def _quietly(hand: Hand, example: reading.TrickExample) -> Action:
    """The action after a trick if nobody calls and the Fool stays. Raises BadExample for a wrong `takes`."""
    if hand.asked == "call":
        return Action("quiet")
    if hand.asked == "fool":
        return Action("keep")
    legal = hand.legal
    assert isinstance(legal, LegalWords)
    if example.takes is None:
        return min(legal.actions, key=lambda action: action.cards)
    chosen = Action("take", (example.takes,))
    if chosen not in legal:
        raise reading.BadExample(_("that card cannot be taken back."), "takes")
    return chosen


def what_a_call_does(example: reading.CallExample) -> CallAnswer:
    reached = reach(example)
    hand = reached.hand.copy()
    caller: int | None = None
    if isinstance(example.rules.play, EarlyCall):
        caller = _called_while_playing(example, hand, reached)
    elif hand.asked == "call":
        caller = reached.place(hand.turn)
        hand.push(Action(example.call))
        if hand.asked == "fool":
            gives = Action("give") in hand.legal and example.answer == "give"
            hand.push(Action("give" if gives else "keep"))
    done: tuple[tuple[int, str], ...] = ((caller, example.call),) if caller is not None else ()
    return CallAnswer(caller, _gathered_answer(reached, hand, example.trick, done))


def _called_while_playing(example: reading.CallExample, hand: Hand, reached: Reached) -> int | None:
    """Play the rest of the trick; the king's player calls if that is allowed."""
    caller: int | None = None
    for number, put in enumerate(example.trick, 1):
        if number <= len(reached.hand.trick):
            continue
        call = Action("play", put, signal="buob")
        if KINGS & BIT[put[0]] and caller is None and call in hand.legal:
            caller = number - 1
            push(hand, call, number)
        else:
            push(hand, Action("play", put), number)
    return caller


def _gathered_answer(
    reached: Reached, hand: Hand, trick: Sequence[tuple[Card, ...]], done: tuple[tuple[int, str], ...]
) -> TrickAnswer:
    """The answer for the trick of the example, which has just been gathered in `hand`."""
    before = reached.composed.hand
    gathered = hand.tricks[len(before.tricks)]
    return _answer(reached.place, hand, gathered, [*enumerate(trick)], done, hand.happenings[len(before.happenings) :])


def _answer(
    place_of: Callable[[int], int],
    hand: Hand,
    gathered: Trick,
    puts: Sequence[tuple[int, tuple[Card, ...]]],
    done: tuple[tuple[int, str], ...],
    happenings: Sequence[Happening],
) -> TrickAnswer:
    """The answer for a gathered trick; `puts` are the place and the cards of each player, in the order of play."""
    fate = _fate(hand, gathered, happenings)
    won = why_wins(hand.ruleset, [cards[0] for _place, cards in puts], gathered.lane, withheld=hand.fool_withheld)
    return TrickAnswer(
        tuple(Put(place, CODES[card]) for place, cards in puts for card in cards),
        replace(won, place=puts[won.place][0]),
        tuple(Put(place_of(seat), CODES[card]) for seat, card in zip(gathered.seats, gathered.cards, strict=True)),
        sum(value_of(card) for card in gathered.cards if not (card == FOOL and fate == "owed")),
        tuple(_event(happening, place_of) for happening in happenings),
        fate,
        next((place for place, cards in puts if cards[0] == FOOL), -1),
        done,
    )


def _event(happening: Happening, place_of: Callable[[int], int]) -> Event:
    card = CODES[happening.card] if happening.card is not None else ""
    back = CODES[happening.back] if happening.back is not None else ""
    return Event(happening.kind, place_of(happening.seat), card, back)


def _fate(hand: Hand, gathered: Trick, happenings: Sequence[Happening]) -> Fate:
    """What becomes of a Fool in the trick: it wins, its own side wins, it is owed for, or it is lost with the trick."""
    if FOOL not in gathered.cards:
        return ""
    player = gathered.seats[gathered.cards.index(FOOL)]
    if any(happening.kind == "fool-owed" for happening in happenings):
        return "owed"
    if player == gathered.winner:
        return "wins"
    return "own" if hand.sides[player] == hand.sides[gathered.winner] else "taken"


def why_wins(rules: Ruleset, firsts: Sequence[Card], lane: int, *, withheld: bool) -> Won:
    """Which card takes the trick in which `lane` was led, and why. `firsts` has each player's card in order of play.

    Derived from the wording of the rules; a test compares it with the engine on thousands of tricks.
    """
    high_fool = rules.bidding is not None and not withheld
    fool_led = firsts[0] == FOOL and not high_fool
    if high_fool and FOOL in firsts:
        return Won("high-fool", firsts.index(FOOL), FOOL, lane)
    called_trumps = fool_led and rules.play is TRUMPS_FIRST
    trumps = [card for card in firsts if LANE_OF[card] == TRUMPS]
    if trumps:
        best = max(trumps)
        kind: Winning = "highest-trump" if len(trumps) > 1 else "only-trump"
        if lane == TRUMPS:
            kind = "trumps-led"
        return Won(kind, firsts.index(best), best, lane, fool_led=fool_led, called_trumps=called_trumps)
    following = [card for card in firsts if LANE_OF[card] == lane]
    best = max(following)
    beaten = [card for card in following if card != best]
    low_wins = lane < 2 and best % 14 < 10 and any(card % 14 < 10 for card in beaten)
    kind = "suit" if beaten else "alone-in-suit"
    place = firsts.index(best)
    return Won(kind, place, best, lane, low_wins=low_wins, fool_led=fool_led, called_trumps=called_trumps)


def what_was_played(example: reading.RecordExample) -> RecordAnswer:
    """The tricks of a recorded hand as they were played."""
    start = reading.hand_at(example.record, example.hand, example.first - 1)
    end = reading.hand_at(example.record, example.hand, reading.ALL_TRICKS)
    base, seats = start.turn, start.seats
    hand = start.copy()
    ahead = iter(end.history[len(start.history) :])
    tricks = tuple(_next_trick(hand, ahead, base) for _ in range(example.first, example.last + 1))
    result = hand.result
    by_place = [(place + base) % seats for place in range(seats)]
    return RecordAnswer(
        tricks,
        example.first,
        len(end.tricks),
        tuple(tuple(sorted((seat - base) % seats for seat in party)) for party in end.parties),
        end.contract,
        (end.tappist - base) % seats if end.tappist >= 0 else None,
        result.points if result is not None else (),
        tuple(result.scores[seat] for seat in by_place) if result is not None else (),
    )


def _next_trick(hand: Hand, ahead: Iterator[tuple[int, Action]], base: int) -> TrickAnswer:
    def place_of(seat: int) -> int:
        return (seat - base) % hand.seats

    number, happened = len(hand.tricks), len(hand.happenings)
    puts: list[tuple[int, tuple[Card, ...]]] = []
    done: list[tuple[int, str]] = []
    while len(hand.tricks) == number:
        seat, action = next(ahead)
        if action.verb == "play":
            puts.append((place_of(seat), action.cards))
            if action.signal:
                done.append((place_of(seat), action.signal))
        elif action.verb != "quiet":
            done.append((place_of(seat), str(action)))
        hand.push(action)
    return _answer(place_of, hand, hand.tricks[number], puts, tuple(done), hand.happenings[happened:])


Multiplier: TypeAlias = Literal["few-points", "no-trick", "solo"]


@dataclass(frozen=True, slots=True)
class Counted:
    """A group of cards that are counted together: their values, and what is subtracted."""

    cards: tuple[str, ...]
    values: tuple[int, ...]
    less: int
    laid: bool = False  # these were discarded

    @property
    def points(self) -> int:
        return sum(self.values) - self.less


@dataclass(frozen=True, slots=True)
class CountAnswer:
    """The count of a side: group by group, or card by card if the game has no groups.

    `others` are the points of the other side if there are two, else None. `par` and `score` are None if points are not
    measured against a par.
    """

    groups: tuple[Counted, ...]
    grouped: int  # how many cards make a full group, 1 if each counts by itself
    less: int  # what is subtracted for a full group
    values: int
    points: int
    others: int | None
    par: int | None
    score: int | None
    whole: bool  # whether these may be all cards of a side
    wins: bool | None  # Troggu: whether it has more than half of the points; None for exactly half and in other games


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
    """A card and its value; `apart`: it is a Fool without a rank."""

    code: str
    value: int
    apart: bool = False


def count(example: reading.CountExample) -> CountAnswer:
    """The points of the cards by the ruleset's own count.

    Raises BadExample for a number of cards that no side can have.
    """
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


def _is_whole(example: reading.CountExample, rules: Ruleset) -> bool:
    """Whether the cards may be all that a side has won, so that it has a score. A few cards only show how to count."""
    parties = 2 if rules.bidding is not None else max(rules.sides) + 1
    many = len(example.cards) * 2 * parties >= rules.pack.bit_count()
    return many or example.dealer_side or example.tricks is not None


def _check_number(example: reading.CountExample, rules: Ruleset) -> None:
    laid = rules.scart if example.dealer_side and rules.bidding is None else 0
    if example.laid and example.laid.bit_count() != rules.scart:
        text = ngettext("%(number)d card is laid away.", "%(number)d cards are laid away.", rules.scart)
        raise reading.BadExample(text % {"number": rules.scart}, "scart")
    if example.laid and not example.dealer_side:
        text = _("only the dealer’s side has the cards that were laid away: write dealer_side = true.")
        raise reading.BadExample(text, "scart")
    if example.tricks is not None:
        told = {"wanted": example.tricks * rules.seats + laid, "given": len(example.cards)}
        if told["wanted"] != told["given"]:
            raise reading.BadExample(_("so many tricks are %(wanted)d cards, here are %(given)d.") % told, "cards")
    if len(example.cards) > reading.hand_size(rules) * rules.seats + max(laid, rules.tapp):
        raise reading.BadExample(_("nobody can have won so many cards."), "cards")


def _groups(rules: Ruleset, example: reading.CountExample) -> list[Counted]:
    """The cards in groups as players form them: a valuable card with cheap ones, as long as there are any."""
    how = rules.count
    ordered = sorted(example.cards, key=lambda card: (-value_of(card), -card))
    if not isinstance(how, GroupsOf):
        less = how.scart_less if isinstance(how, Singly) else 0
        tricks = [card for card in ordered if not example.laid >> card & 1]
        laid = [card for card in ordered if example.laid >> card & 1]
        counted = [_counted(same, 0) for same in _same_value(tricks)]
        return [*counted, *([_counted(laid, less * len(laid), laid=True)] if laid else [])]
    full, rest = divmod(len(ordered), how.size)
    groups: list[list[Card]] = [[] for _ in range(full)]
    for index, card in enumerate(ordered[: full * how.size]):
        row, column = divmod(index, full)
        groups[column if row % 2 == 0 else full - 1 - column].append(card)
    counted = [_counted(group, how.less) for group in groups]
    if rest:
        counted.append(_counted(ordered[full * how.size :], how.rest_less))
    return counted


def _same_value(cards: list[Card]) -> list[list[Card]]:
    return [same for value in (5, 4, 3, 2, 1) if (same := [card for card in cards if value_of(card) == value])]


def _counted(cards: list[Card], less: int, *, laid: bool = False) -> Counted:
    return Counted(tuple(CODES[card] for card in cards), tuple(value_of(card) for card in cards), less, laid)


def settle(example: reading.SettleExample) -> SettleAnswer:
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


def order(example: reading.OrderExample) -> tuple[Ranked, ...]:
    """The cards from the highest to the lowest; a Fool that wins nothing comes last, marked as apart."""
    apart = example.rules.bidding is None
    cards = sorted(cards_in(set_of(example.cards)), reverse=True)
    ranked = [Ranked(CODES[card], value_of(card)) for card in cards if not (apart and card == FOOL)]
    if apart and FOOL in cards:
        ranked.append(Ranked(CODES[FOOL], value_of(FOOL), apart=True))
    return tuple(ranked)
