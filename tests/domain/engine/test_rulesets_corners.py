"""The corner records of the family show what their names say, and count as the second, plain reading counts them."""

from __future__ import annotations

import json

import pytest

from domain.engine import Hand, parse_record, replay
from domain.engine.record import replayed
from tests.domain.engine.kit import RECORDS
from tests.domain.engine.plain_count import points_of, scores_of
from tests.domain.engine.ruleset_corners import CORNERS
from tests.domain.engine.test_rulesets import plainly


def last_hand(name: str) -> Hand:
    hand = replay(parse_record((RECORDS / "corners" / f"{name}.json").read_bytes())).hand
    assert hand is not None
    return hand


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_record_shows_its_corner(name: str) -> None:
    hand = last_hand(name)
    assert (hand.ruleset.id, hand.seats) == (CORNERS[name].game, CORNERS[name].seats)
    assert CORNERS[name].shows(hand)


@pytest.mark.parametrize("name", CORNERS)
def test_what_is_expected_of_a_corner_record_counts_plainly(name: str) -> None:
    hand = last_hand(name)
    expected = json.loads((RECORDS / "corners" / f"{name}.expected.json").read_text(encoding="utf-8"))
    (only,) = expected["hands"]
    if only["status"] == "played":
        assert (only["points"], only["scores"]) == (points_of(plainly(hand)), scores_of(plainly(hand)))


def expected_choice(name: str, verb: str) -> dict[str, object]:
    """The legal choice before the action `verb`."""
    record = parse_record((RECORDS / "corners" / f"{name}.json").read_bytes())
    place = next(at for at, line in enumerate(record.hands[0].actions) if line.split()[1] == verb)
    (hand,) = json.loads(json.dumps(replayed(record, legal=True)))["hands"]
    choice: dict[str, object] = hand["decisions"][place]["legal"]
    return choice


def test_kings_and_honours_that_go_only_together_are_listed_apart() -> None:
    kings = expected_choice("troggu-4-four-kings-laid-away-together", "discard")
    assert (kings["choose"], kings["together"]) == (10, ["BK", "CK", "OK", "SK"])
    honours = expected_choice("troggu-st-niklaus-3-all-seven-honours-laid-away", "discard")
    assert (honours["choose"], honours["together"]) == (8, ["BK", "CK", "F", "OK", "SK", "T1", "T21"])


def test_a_dealer_with_nothing_may_throw_in_in_place_of_the_scart() -> None:
    choice = expected_choice("troccas-oinkers-dealer-without-trump-Fool-or-court-throws-in", "throw-in")
    assert (choice["choose"], choice["or"]) == (2, ["throw-in"])


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("troggu-5-57-to-57-nobody-pays", (0, 0, 0, 0, 0)),
        ("troggu-6-soloist-without-a-trick-pays-six-stakes", (60, -300, 60, 60, 60, 60)),
        ("troggu-7-partner-with-T20-earns-two-stakes", None),
        ("troggu-graechen-6-losers-with-20-points-pay-double", (10, -50, 10, 10, 10, 10)),
        ("troggu-graechen-4-all-pass-and-the-deal-goes-on", (0, 0, 0, 0)),
    ],
)
def test_stakes_of_the_corners_are_paid(name: str, scores: tuple[int, ...] | None) -> None:
    hand = last_hand(name)
    assert hand.result is not None
    paid = hand.result.scores
    if scores is not None:
        assert paid == scores
    else:  # 7 players: five opponents pay one stake each, the partner gets two, the Tappist three
        assert (paid[4], paid[1]) == (-2 * paid[0], -3 * paid[0])


def test_tied_players_of_a_misere_settle_with_everyone_else() -> None:
    most = last_hand("troggu-4-Misere-two-tied-with-most-points-both-pay").result
    fewest = last_hand("troggu-st-niklaus-5-Misere-two-tied-with-fewest-points").result
    assert most is not None
    assert sorted(most.scores) == [-20, -20, 20, 20]
    assert fewest is not None
    assert sorted(fewest.scores) == [-10, -10, -10, 15, 15]
