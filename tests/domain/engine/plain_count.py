"""A second, plain reading of how every game is counted and settled: from the tricks as they lie, with cards as text.

It is written from docs/rules.md, not from the engine, and does not use the engine's sides, piles or strategies.
"""

from __future__ import annotations

from dataclasses import dataclass

VALUES = {"K": 5, "Q": 4, "N": 3, "J": 2}
ROUND = ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "J", "N", "Q", "K"]
LONG = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"]


@dataclass
class PlainHand:
    """A finished hand: `tricks` as (seats, cards, winner), the Tappist and partner or -1, the cards not played."""

    game: str
    seats: int
    dealer: int
    tricks: list[tuple[list[int], list[str], int]]
    unplayed: list[str]
    tappist: int = -1
    partner: int = -1
    contract: str = ""
    stake: int = 0
    double_at: int = 0


def value(card: str) -> int:
    return 5 if card in ("F", "T21", "T1") else VALUES.get(card[1:], 1) if card[0] in "COSB" else 1


def rank(card: str) -> int:
    return (ROUND if card[0] in "CO" else LONG).index(card[1:])


def sides_of(hand: PlainHand) -> list[list[int]]:
    if hand.contract in ("normal", "solo"):
        ours = sorted({hand.tappist, hand.partner} - {-1})
        return [ours, [seat for seat in range(hand.seats) if seat not in ours]]
    if hand.seats in (4, 6) and hand.game.startswith("troccas"):
        return [list(range(0, hand.seats, 2)), list(range(1, hand.seats, 2))]
    return [[seat] for seat in range(hand.seats)]


def piles_of(hand: PlainHand) -> list[list[str]]:
    """The cards of each side at the end, the Fool and what is paid for it included."""
    sides = sides_of(hand)
    side_of = {seat: at for at, side in enumerate(sides) for seat in side}
    piles: list[list[str]] = [[] for _ in sides]
    for _, cards, winner in hand.tricks:
        piles[side_of[winner]] += cards
    place = next((at for at, (_, cards, _) in enumerate(hand.tricks) if "F" in cards), None)
    if place is not None:
        seats, cards, winner = hand.tricks[place]
        fool, taker = side_of[seats[cards.index("F")]], side_of[winner]
        captured = hand.game == "troccas-online" and place == len(hand.tricks) - 1
        if fool != taker and not captured:
            if piles[fool]:
                piles[taker].remove("F")
                paid = min(piles[fool], key=value)
                piles[fool].remove(paid)
                piles[fool].append("F")
                piles[taker].append(paid)
            elif hand.game == "troccas-oinkers":
                piles[taker].remove("F")
                piles[fool].append("F")
    if hand.tappist >= 0:
        piles[0] += hand.unplayed
    elif hand.contract != "misere":
        takers = {side_of[winner] for _, _, winner in hand.tricks}
        swept = len(takers) == 1 and hand.game not in ("troccas-oinkers", "troccas-online")
        piles[takers.pop() if swept else side_of[hand.dealer]] += hand.unplayed
    return piles


def points_of(hand: PlainHand) -> list[int]:
    points = []
    for pile in piles_of(hand):
        total = sum(value(card) for card in pile)
        if hand.game in ("troccas", "troccas-6", "troccas-online"):
            total -= 3 * (len(pile) // 4) + (1 if len(pile) % 4 else 0)
        elif hand.game == "troccas-3":
            total -= 2 * (len(pile) // 3)
        elif hand.game in ("troccas-3-singles", "troccas-5"):
            total -= sum(card in hand.unplayed for card in pile)
        points.append(total)
    return points


def scores_of(hand: PlainHand) -> list[int]:
    points = points_of(hand)
    sides = sides_of(hand)
    if hand.contract == "misere":
        return misere_scores(hand, points)
    if hand.contract:
        return stakes_of(hand, points)
    par = {
        "troccas": (36, 36), "troccas-6": (36, 36), "troccas-3": (26, 26), "troccas-3-singles": (43, 42),
        "troccas-5": (27, 25), "troccas-oinkers": (65, 65), "troccas-online": (0, 0),
    }[hand.game]  # fmt: skip
    own = {seat: points[at] for at, side in enumerate(sides) for seat in side}
    return [own[seat] - (par[0] if seat == hand.dealer else par[1]) for seat in range(hand.seats)]


def misere_scores(hand: PlainHand, points: list[int]) -> list[int]:
    fewest = hand.game == "troggu-st-niklaus"
    mark = min(points) if fewest else max(points)
    scores = [0] * hand.seats
    for one in range(hand.seats):
        for other in range(hand.seats):
            if points[one] == mark and points[other] != mark:
                scores[one] += hand.stake if fewest else -hand.stake
                scores[other] += -hand.stake if fewest else hand.stake
    return scores


def stakes_of(hand: PlainHand, points: list[int]) -> list[int]:
    sides = sides_of(hand)
    if points[0] == 57:
        return [0] * hand.seats
    lost = 0 if points[0] < 57 else 1
    took_tricks = any(winner in sides[lost] for _, _, winner in hand.tricks)
    each = hand.stake * (3 if not took_tricks else 2 if points[lost] <= hand.double_at else 1)
    each *= 2 if hand.contract == "solo" else 1
    sign = 1 if lost == 0 else -1
    scores = [sign * each] * hand.seats
    if hand.partner >= 0:
        scores[hand.partner] = -2 * sign * each
    scores[hand.tappist] = -sum(scores[seat] for seat in range(hand.seats) if seat != hand.tappist)
    return scores


def may_be_played(
    game: str, held: list[str], trick: list[str], *, withheld: bool = False, first: bool = False
) -> set[str]:
    """The single cards that may be played: docs/rules.md once more, without calls."""
    trumps = [card for card in held if card[0] == "T"]
    everything = set(held)
    if game.startswith("troggu"):
        if withheld and len(held) > 1:
            everything.discard("F")
        high = "F" in held and not withheld
        led = next((card for card in trick if not (card == "F" and withheld)), None)
        if led is None:
            return everything
        same = [card for card in held if card[0] == led[0]]
        if led[0] in "COSB" and same:
            return set(same)
        if trumps:
            return {*trumps, "F"} if high else set(trumps)
        return everything
    fool = {"F"} & everything
    if not trick:
        return set(trumps) | fool if first and game == "troccas-oinkers" and trumps else everything
    if trick[0] == "F" and game == "troccas-oinkers":
        return set(trumps) | fool if trumps else everything
    led = next((card for card in trick if card != "F"), None)
    if led is None:
        return everything
    same = [card for card in held if card[0] == led[0]]
    return set(same) | fool if same else set(trumps) | fool if trumps else everything


def takes(game: str, trick: list[str], *, withheld: bool = False) -> str:
    """The card that takes a complete trick."""
    if game.startswith("troggu") and "F" in trick and not withheld:
        return "F"
    trumps = [card for card in trick if card[0] == "T"]
    if trumps:
        return max(trumps, key=lambda card: int(card[1:]))
    suit = next(card for card in trick if card != "F")[0]
    return max((card for card in trick if card[0] == suit), key=rank)
