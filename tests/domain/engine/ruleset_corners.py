"""Writes the corner records of the whole family: one hand each, dealt by hand so that something rare must or may happen.

`python -m tests.domain.engine.ruleset_corners` makes them anew. The cards that matter are named, the others are dealt and played
by the first seed that shows the corner. What the tests expect of them is counted once more by `plain_count`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from domain.engine import CODES, Hand, Match, Record, card_of, cards_in, parse_action, ruleset, set_of
from domain.engine.cards import BIT, FOOL, FOOL_BIT, HONOURS, KINGS, TRUMP_CARDS, value_of
from domain.engine.record import RecordedHand, replayed
from tests.domain.engine.kit import RECORDS
from tests.domain.engine.tables import TAPP, any_action, pack_dealing

FOLDER = RECORDS / "corners"
TRUMPS = [f"T{number}" for number in range(1, 22)]


@dataclass(frozen=True)
class Corner:
    """A hand dealt by seat 0: who holds which cards, how it begins (after the cut), and how to tell that it is shown."""

    game: str
    seats: int
    shows: Callable[[Hand], bool]
    named: Mapping[int, str] = field(default_factory=dict)
    script: tuple[str, ...] = ()


def told(hand: Hand, kind: str) -> bool:
    return any(happening.kind == kind for happening in hand.happenings)


def pass_all(seats: int) -> tuple[str, ...]:
    return ("pass",) * seats


def debt_paid_with_a_dear_card(hand: Hand) -> bool:
    return any(event.kind == "fool-paid" and value_of(event.card) > 1 for event in hand.happenings)


def called_in_vain(hand: Hand, jack_in: Callable[[Hand, int], bool]) -> bool:
    jacks = [event.card for event in hand.happenings if event.kind == "no-jack" and event.card is not None]
    return any(jack_in(hand, BIT[jack]) for jack in jacks)


def caller_kept_the_jack(hand: Hand) -> bool:
    """Somebody called a jack of his own, and found no numeral to take for it."""
    for event in hand.happenings:
        if event.kind == "no-jack" and any(a.cards == (event.card,) and s == event.seat for s, a in hand.history):
            return True
    return False


def king_that_called_was_trumped(hand: Hand) -> bool:
    for seat, action in hand.history:
        if action.signal == "buob":
            trick = next(trick for trick in hand.tricks if action.cards[0] in trick.cards)
            if trick.winner != seat and told(hand, "jack-given"):
                return True
    return False


def fool_captured_in_the_last_trick(hand: Hand) -> bool:
    trick = hand.tricks[-1]
    return FOOL in trick.cards and hand.sides[trick.seats[trick.cards.index(FOOL)]] != hand.sides[trick.winner]


def fool_led_and_no_trump_fell(hand: Hand) -> bool:
    """Before the last trick, where everybody still had a choice. Read from the log: what was led may have been taken back."""
    plays = [action.cards for _seat, action in hand.history if action.verb == "play"]
    tricks = [plays[at : at + hand.seats] for at in range(0, len(plays), hand.seats)]
    return any(trick[0] == (FOOL,) and not any(set_of(cards) & TRUMP_CARDS for cards in trick) for trick in tricks[:-1])


def trump_taken_back(hand: Hand) -> bool:
    taken = [event.back for event in hand.happenings if event.kind == "taken-back" and event.back is not None]
    return bool(set_of(taken) & TRUMP_CARDS)


def fool_stays_without_a_trick(hand: Hand) -> bool:
    return any(cards & FOOL_BIT and not tricks for cards, tricks in zip(hand.side_cards, hand.side_tricks, strict=True))


def withheld_fool_led_last(hand: Hand) -> bool:
    return hand.fool_withheld and hand.tricks[-1].cards[0] == FOOL


def tied(points: tuple[int, ...], mark: int) -> bool:
    return points.count(mark) > 1


CORNERS: Mapping[str, Corner] = {
    "troccas-3-CK-CJ-with-no-numeral-CJ-goes-back": Corner(
        "troccas-3", 3, lambda hand: told(hand, "jack-back"), {0: "CK CJ", 1: "CQ", 2: "CN"}
    ),
    "troccas-3-F-owed-to-the-end-paid-with-a-dear-card": Corner(
        "troccas-3", 3, debt_paid_with_a_dear_card, {0: " ".join([*TRUMPS[3:], "CK", "OK", "SK"]), 1: "F BK", 2: "BQ BN"}
    ),
    "troccas-5-F-lost-by-a-player-without-a-trick": Corner(
        "troccas-5", 5, lambda hand: told(hand, "fool-lost"), {1: "F C10 O10"}
    ),
    "troccas-6-SJ-asked-from-the-player-of-F-who-keeps-it": Corner(
        "troccas-6", 6,
        lambda hand: any(seat == 2 and action.verb == "keep" for seat, action in hand.history), {1: "SK", 2: "F SJ"},
    ),
    "troccas-online-CJ-in-the-scart-called-for-nothing": Corner(
        "troccas-online", 4, lambda hand: called_in_vain(hand, lambda h, jack: bool(h.scart & jack)), {0: "CJ C10", 1: "CK"},
        ("scart CJ C10",),
    ),
    "troccas-online-caller-holds-SJ-with-no-numeral": Corner(
        "troccas-online", 4, caller_kept_the_jack, {1: "SK SJ", 2: "SQ", 0: "SN"}
    ),
    "troccas-online-OK-that-called-is-trumped-OJ-comes-all-the-same": Corner(
        "troccas-online", 4, king_that_called_was_trumped, {1: "OK", 2: "OJ O1 O2"}
    ),
    "troccas-online-F-captured-in-the-last-trick": Corner("troccas-online", 4, fool_captured_in_the_last_trick),
    "troccas-oinkers-F-led-and-no-trump-falls": Corner("troccas-oinkers", 4, fool_led_and_no_trump_fell, {1: "F"}),
    "troccas-oinkers-winning-trump-taken-back-for-CN": Corner("troccas-oinkers", 4, trump_taken_back, {1: "CK CN"}),
    "troccas-oinkers-F-stays-with-a-side-without-a-trick": Corner(
        "troccas-oinkers", 4, fool_stays_without_a_trick,
        {0: " ".join(TRUMPS[11:]), 1: "F", 2: " ".join([*TRUMPS[:11], "CK", "OK", "SK", "BK"])},
    ),
    "troccas-oinkers-dealer-without-trump-Fool-or-court-throws-in": Corner(
        "troccas-oinkers", 4, lambda hand: hand.history[-1][1].verb == "throw-in",
        {0: "C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 O1 O2 O3 O4 O5 O6 O7 O8 O9 O10 S1"}, ("veto", "veto", "veto", "throw-in"),
    ),
    "troggu-4-four-kings-laid-away-together": Corner(
        "troggu", 4, lambda hand: hand.scart & KINGS == KINGS, {1: "CK OK SK", TAPP: "BK"},
        ("take", "pass", "pass", "pass"),
    ),
    "troggu-st-niklaus-3-all-seven-honours-laid-away": Corner(
        "troggu-st-niklaus", 3, lambda hand: hand.scart & HONOURS == HONOURS, {1: "CK OK SK BK T21 T1", TAPP: "F"},
        ("take", "pass", "pass"),
    ),
    "troggu-3-withheld-F-led-to-the-last-trick": Corner("troggu", 3, withheld_fool_led_last, {2: "F CK OK SK BK C6"}),
    "troggu-3-withheld-F-lost-by-a-side-without-a-trick": Corner(
        "troggu", 3, lambda hand: told(hand, "fool-lost"), {1: "F"}, ("solo",)
    ),
    "troggu-7-called-T20-lies-in-the-Tapp-and-is-laid-away": Corner(
        "troggu", 7, lambda hand: bool(hand.scart & BIT[card_of("T20")]), {TAPP: "T20"},
        ("take", *pass_all(6), "discard *T20", "call T20"),
    ),
    "troggu-7-partner-with-T20-earns-two-stakes": Corner(
        "troggu", 7, lambda hand: hand.partner == 4 and hand.result.points[0] > 57, {4: "T20", 1: "T21 F T19"},
        ("take", *pass_all(6), "discard *", "call T20"),
    ),
    "troggu-8-T1-must-play-because-F-lies-in-the-Tapp": Corner(
        "troggu", 8, lambda hand: hand.tappist == 5, {5: "T1", TAPP: "F"}, pass_all(8)
    ),
    "troggu-8-Misere-because-F-and-T1-lie-in-the-Tapp": Corner(
        "troggu", 8, lambda hand: hand.contract == "misere", {TAPP: "F T1"}, pass_all(8)
    ),
    "troggu-4-Misere-two-tied-with-most-points-both-pay": Corner(
        "troggu", 4, lambda hand: tied(hand.result.points, max(hand.result.points)), {}, pass_all(4)
    ),
    "troggu-st-niklaus-5-Misere-two-tied-with-fewest-points": Corner(
        "troggu-st-niklaus", 5, lambda hand: tied(hand.result.points, min(hand.result.points)), {}, pass_all(5)
    ),
    "troggu-5-57-to-57-nobody-pays": Corner(
        "troggu", 5, lambda hand: hand.result.points == (57, 57), {1: "T21 T20 T19 CK OK"}, ("take", *pass_all(4))
    ),
    "troggu-6-soloist-without-a-trick-pays-six-stakes": Corner(
        "troggu", 6, lambda hand: hand.side_tricks[0] == 0, {1: "C6 O6 S5 B5"}, ("solo",)
    ),
    "troggu-graechen-5-packets-6-5-with-the-Tapp-between": Corner(
        "troggu-graechen", 5, lambda hand: hand.packets == (6, 5), {}, ("packets 6 5", "pass", "take")
    ),
    "troggu-graechen-4-all-pass-and-the-deal-goes-on": Corner(
        "troggu-graechen", 4, lambda hand: hand.result.status == "passed", {}, pass_all(4)
    ),
    "troggu-graechen-6-losers-with-20-points-pay-double": Corner(
        "troggu-graechen", 6, lambda hand: hand.result.points[0] == 20 and hand.contract == "normal", {1: "T1"},
        ("take", *pass_all(5)),
    ),
}  # fmt: skip


def attempts(corner: Corner, name: str) -> Iterator[tuple[Hand, Record]]:
    """Deal and play the corner's hand again and again; each time, the hand and its record."""
    rules = ruleset(corner.game, seats=corner.seats)
    for seed in range(30_000):
        rng = random.Random(f"{name} {seed}")
        packets = rules.packets[-1] if rules.packets else ()
        pack = pack_dealing(rules, 0, corner.named, rng, packets)
        match = Match(rules, {"hands": 1})
        hand = match.deal(pack)
        match.push(parse_action("cut 1"))
        for text in corner.script:
            match.push(parse_action(chosen(hand, text, rng)))
        while not hand.over:
            match.push(any_action(hand, rng))
        lines = tuple(f"{seat} {action}" for seat, action in hand.history)
        players = ("Anna", "Beat", "Clau", "Dora", "Egid", "Flurina", "Gion", "Hilda")[: corner.seats]
        yield hand, Record(rules, match.options, players, (RecordedHand(0, tuple(pack), lines),))


def chosen(hand: Hand, text: str, rng: random.Random) -> str:
    """`discard *T20` is a discard of that card and any others, `discard *` any discard but of called or strong trumps."""
    verb, star, card = text.partition(" *")
    if not star:
        return text
    own = hand.hands[hand.turn] & ~HONOURS & ~BIT[card_of("T20")]
    count = hand.ruleset.tapp - bool(card)
    return " ".join([verb, *([card] if card else []), *(CODES[low] for low in rng.sample(list(cards_in(own)), count))])


def found(name: str) -> Record:
    """The first record that shows the corner."""
    corner = CORNERS[name]
    for hand, record in attempts(corner, name):
        if corner.shows(hand):
            return record
    raise LookupError(name)


def main() -> None:
    for name in CORNERS:
        record = found(name)
        text = json.dumps(record.to_json(), ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        expected = json.dumps(replayed(record, legal=True), separators=(",", ":"))
        (FOLDER / f"{name}.expected.json").write_text(expected + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
