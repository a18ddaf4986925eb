"""Writes tests/records/corners: short records in which something rare happens, found by playing at random.

`python -m tests.domain.engine.corners` makes them anew. What is expected of each is written by the plain reference, not by the
engine, so that the two readings of the rules are held against each other in the records, too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping

from domain.engine import CODES, Hand, Match, Record
from domain.engine.record import RecordedHand
from domain.engine.ruleset import OptionValue
from tests.domain.engine.kit import PHRASES, RECORDS, TROCCAS, random_action, random_pack
from tests.domain.engine.reference import ReferenceHand

FOLDER = RECORDS / "corners"


def tells(kind: str) -> Callable[[Hand], bool]:
    """Hands in which the table sees something of that kind."""
    return lambda hand: any(happening.kind == kind for happening in hand.happenings)


def does(verb: str, *, with_cards: bool = False) -> Callable[[Hand], bool]:
    """Hands in which somebody does that."""
    return lambda hand: any(action.verb == verb and (action.cards or not with_cards) for _, action in hand.history)


def one_side_takes_all(hand: Hand) -> bool:
    return hand.result is not None and 0 in hand.side_tricks and hand.result.status == "played"


def dealer_throws_in(hand: Hand) -> bool:
    return hand.dealt == 3 and hand.history[-1][1].verb == "throw-in" and hand.history[-2][1].verb == "veto"


def asked_for_nothing(hand: Hand) -> bool:
    return [action.number for _, action in hand.history if action.verb == "deal"] == [3, 3]


CORNERS: Mapping[str, tuple[str, dict[str, OptionValue], Callable[[Hand], bool]]] = {
    "arranged-pack": ("arranged-pack", {"hands": 4}, does("arrange", with_cards=True)),
    "demands-not-made": ("demands-not-made", {"hands": 3}, asked_for_nothing),
    "dealer-throws-in-instead-of-the-scart": ("dealer-throws-in-instead-of-the-scart", {"hands": 1}, dealer_throws_in),
    "troccas-F-taken-back-and-CJ-given-when-called": (
        "fool-given-for-the-jack",
        {"hands": 1, "throw_in": False},
        does("give"),
    ),
    "troccas-F-lost-by-a-side-without-a-trick": (
        "fool-lost-without-a-trick",
        {"hands": 1, "throw_in": False},
        tells("fool-lost"),
    ),
    "troccas-BK-BJ-with-no-numeral-BJ-goes-back": (
        "jack-goes-back-to-hand",
        {"hands": 1, "throw_in": False},
        tells("jack-back"),
    ),
    "troccas-CJ-kept-after-buob-sche": (
        "jack-kept-after-buob-sche",
        {"hands": 1, "throw_in": False},
        tells("jack-kept"),
    ),
    "troccas-T18-knocked-by-the-holder-of-the-highest-trump": (
        "knocking",
        {"hands": 1, "throw_in": False, "knock": True},
        tells("knock"),
    ),
    "free-talk": ("free-talk", {"hands": 1, "talk": "free"}, does("liber")),
    "every-trick-and-the-scart": ("every-trick-and-the-scart", {"hands": 1, "throw_in": False}, one_side_takes_all),
}


def random_record(rng: random.Random, options: dict[str, OptionValue]) -> Iterator[tuple[Hand, Record]]:
    """Play a random game; after each hand, that hand and the record so far."""
    match = Match(TROCCAS, options, dealer=rng.randrange(4))
    hands: list[RecordedHand] = []
    while not match.over:
        hand = match.deal(random_pack(rng, match.dealer))
        lying = hand.pack
        assert lying is not None
        while not hand.over:
            match.push(random_action(hand, rng))
        hands.append(RecordedHand(hand.dealer, lying, tuple(f"{seat} {action}" for seat, action in hand.history)))
        yield hand, Record(TROCCAS, match.options, ("Anna", "Beat", "Clau", "Dora"), tuple(hands))


def found(name: str) -> Record:
    """The first random game that shows the corner, up to that hand; the word in `CORNERS` starts the search."""
    word, options, shows = CORNERS[name]
    for seed in range(20_000):
        for hand, record in random_record(random.Random(f"{word} {seed}"), options):
            if shows(hand):
                return record
    raise LookupError(name)


def expected(record: Record) -> dict[str, object]:
    """What `replay --json --legal` prints, by the reference."""
    totals = [0, 0, 0, 0]
    hands: list[dict[str, object]] = []
    piles: dict[int, list[str]] | None = None
    for recorded in record.hands:
        pack = [CODES[card] for card in recorded.pack]
        plain = ReferenceHand(recorded.dealer, pack, record.options, totals, piles, PHRASES)
        decisions: list[dict[str, object]] = []
        for line in recorded.actions:
            question = plain.question
            assert question is not None
            assert question.seat == int(line[0])
            decisions.append({"seat": question.seat, "legal": question.listed})
            plain.answer(line.partition(" ")[2])
        outcome = plain.outcome
        assert outcome is not None
        summary: dict[str, object] = {"status": outcome.status, "decisions": decisions}
        piles = None
        if outcome.status == "played":
            summary |= {
                "sides": [[0, 2], [1, 3]],
                "points": outcome.points,
                "scores": outcome.scores,
                "tricks": outcome.winners,
            }
            totals = [total + score for total, score in zip(totals, outcome.scores, strict=True)]
            piles = outcome.piles
        hands.append(summary)
    return {"ruleset": "troccas", "hands": hands, "totals": totals}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in CORNERS:
        record = found(name)
        for ending, data in ((".json", record.to_json()), (".expected.json", expected(record))):
            (FOLDER / f"{name}{ending}").write_text(f"{json.dumps(data)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
