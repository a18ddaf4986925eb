"""What holds in every game of the family, at every table size, whoever plays what."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine import (
    CODES,
    Action,
    Hand,
    IllegalAction,
    Record,
    Ruleset,
    cards_in,
    parse_record,
    replay,
    ruleset,
    set_of,
)
from domain.engine.cards import BIT, FOOL, FOOL_BIT, values
from domain.engine.record import RecordedHand, record_from
from domain.engine.rulesets import UnknownRuleset
from domain.engine.view import UNKNOWN
from tests.domain.engine.kit import state_of
from tests.domain.engine.plain_count import PlainHand, may_be_played, points_of, scores_of, sides_of, takes
from tests.domain.engine.tables import (
    EVERY,
    any_action,
    at_each_table,
    laid_away_or_not_played,
    lopsided,
    order_of_deal,
    walk_table,
)

SEEDS = st.integers(0, 2**32)
SOME = settings(max_examples=max(4, settings.default.max_examples // 12))  # for each of some twenty tables
TOTALS = {"troccas-3": 78, "troccas-3-singles": 127, "troccas-5": 127, "troccas-oinkers": 130}


def names(held: int) -> list[str]:
    return [CODES[card] for card in cards_in(held)]


def everywhere(hand: Hand) -> list[int]:
    """Every card of the hand, from wherever it lies now."""
    assert hand.pack is not None
    rules = hand.ruleset
    rounds = hand.packets or rules.batches[hand.rounds]
    whole = hand.dealt == len(rounds)
    dealt = rules.seats * sum(rounds[: hand.dealt]) + (rules.dealer_extra if whole else 0)
    lying = list(hand.pack[dealt + (rules.tapp if hand.dealt > rules.tapp_after else 0) :]) + list(hand.trick)
    for held in (*hand.hands, *hand.side_cards):
        lying += cards_in(held)
    if (
        hand.dealt > rules.tapp_after
        and hand.contract in ("", "misere", "solo")
        and not (hand.over and hand.contract == "solo")
    ):
        lying += cards_in(hand.tapp)
    if hand.pair_at >= 0 and rules.pair is not None:
        lying.append(hand.trick[hand.pair_at] - rules.pair.below_king)
    if not hand.over:
        lying += cards_in(hand.scart)
    return lying


@at_each_table
@SOME
@given(SEEDS)
def test_every_card_is_somewhere_exactly_once(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed)):
        if hand.result is None or hand.result.status != "thrown-in":
            assert sorted(everywhere(hand)) == list(cards_in(rules.pack))


def plainly(hand: Hand) -> PlainHand:
    """The finished hand as the second reading takes it."""
    tricks = [(list(trick.seats), [CODES[card] for card in trick.cards], trick.winner) for trick in hand.tricks]
    stake, double_at = int(hand.option.get("stake", 0)), int(hand.option.get("double_at", 0))
    unplayed = names(laid_away_or_not_played(hand))
    return PlainHand(
        hand.ruleset.id, hand.seats, hand.dealer, tricks, unplayed, hand.tappist, hand.partner, hand.contract, stake, double_at
    )  # fmt: skip


@at_each_table
@SOME
@given(SEEDS)
def test_points_and_scores_are_those_of_a_second_reading(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed), {"hands": 3}):
        if hand.result is None or hand.result.status != "played":
            continue
        plain = plainly(hand)
        assert [list(party) for party in hand.result.parties] == sides_of(plain)
        assert list(hand.result.points) == points_of(plain)
        assert list(hand.result.scores) == scores_of(plain)
        if rules.id.startswith("troggu"):
            unused = values(hand.tapp) if hand.contract == "misere" else 0
            assert sum(hand.result.points) == 114 - unused
        else:
            assert sum(hand.result.points) == TOTALS.get(rules.id, 72)
        assert sum(hand.result.scores) == (144 if rules.id == "troccas-online" else 0)


@at_each_table
@SOME
@given(SEEDS)
def test_what_may_be_played_and_who_takes_it_are_those_of_a_second_reading(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed), {"hands": 1}):
        if hand.asked != "play":
            continue
        held, trick = names(hand.hands[hand.turn]), [CODES[card] for card in hand.trick]
        withheld = hand.fool_withheld
        allowed = may_be_played(rules.id, held, trick, withheld=withheld, first=not hand.tricks)
        legal = {str(action).split()[1] for action in hand.legal}
        assert legal <= allowed
        if legal != allowed:  # only a called jack leaves less
            assert hand.caller >= 0
            assert legal == {CODES[hand.lane * 14 + 10]}
        if len(trick) > 1 or trick not in ([], ["F"]):
            assert takes(rules.id, trick, withheld=withheld) == trick[hand.view(None).best]


@at_each_table
@SOME
@given(SEEDS)
def test_the_fool_is_where_the_rules_leave_it(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed)):
        if hand.result is None or hand.result.status != "played":
            continue
        last = len(hand.tricks) - 1
        for place, trick in enumerate(hand.tricks):
            if FOOL not in trick.cards:
                continue
            player = hand.sides[trick.seats[trick.cards.index(FOOL)]]
            keeper = next(side for side, cards in enumerate(hand.side_cards) if cards & FOOL_BIT)
            if rules.id == "troccas-online" and place == last:
                assert keeper == hand.sides[trick.winner]
            elif hand.side_tricks[player] or rules.id == "troccas-oinkers":
                assert keeper == player
            else:
                assert keeper == hand.sides[trick.winner]


@at_each_table
@SOME
@given(SEEDS)
def test_cards_laid_away_pay_no_debt_and_stay_together(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed)):
        if hand.result is None or hand.result.status != "played":
            continue
        owners = {side for side, cards in enumerate(hand.side_cards) if cards & hand.scart}
        if hand.scart:
            owner = hand.sides[hand.scartist]
            swept = len(hand.tricks) in hand.side_tricks and rules.id in (
                "troccas",
                "troccas-3",
                "troccas-3-singles",
                "troccas-5",
            )
            assert owners == {hand.side_tricks.index(len(hand.tricks)) if swept else owner}


@at_each_table
@SOME
@given(SEEDS)
def test_every_decision_has_an_answer_and_every_listed_answer_is_accepted(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for _, hand in walk_table(rules, rng, {"hands": 1}):
        if hand.over or rng.random() < 0.7:
            continue
        offered = list(hand.legal) if len(hand.legal) < 5000 else [any_action(hand, rng) for _ in range(5)]
        assert offered
        if len(hand.legal) < 5000:
            assert len(hand.legal) == len(set(offered)) == len(offered)
        for action in rng.sample(offered, min(3, len(offered))):
            assert action in hand.legal
            assert hand.why_illegal(action) is None
            hand.copy().push(action)


VERBS = [
    "pass",
    "take",
    "solo",
    "discard",
    "scart",
    "call",
    "packets",
    "play",
    "cut",
    "buob",
    "quiet",
    "throw-in",
    "veto",
    "liber",
]


@at_each_table
@SOME
@given(SEEDS)
def test_an_action_is_refused_exactly_if_it_is_not_legal_and_then_nothing_changes(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for _, hand in walk_table(rules, rng, {"hands": 1}):
        held = list(cards_in(hand.hands[hand.turn] if not hand.over else rules.pack)) or [FOOL]
        attempt = Action(
            rng.choice([*VERBS, "play", "play", hand.asked or "play"]),
            tuple(rng.choices(held, k=rng.choice((0, 1, 1, 1, 2, hand.ruleset.tapp or 2)))),
            number=rng.choice((0, 0, 0, 5)),
            signal=rng.choice(("", "", "", "buob", "knock")),
            packets=rng.choice(((), (), (), (5, 6), (4, 7))),
        )
        broken = hand.why_illegal(attempt)
        assert (attempt in hand.legal) is (broken is None)
        if broken is None:
            hand.copy().push(attempt)
            continue
        before = state_of(hand)
        with pytest.raises(IllegalAction) as refused:
            hand.push(attempt)
        assert str(refused.value) == str(broken) != ""
        assert state_of(hand) == before


@at_each_table
@SOME
@given(SEEDS)
def test_a_game_survives_as_a_record_and_its_replay_is_the_same_game(rules: Ruleset, seed: int) -> None:
    hands: list[RecordedHand] = []
    lying: tuple[int, ...] = ()
    for match, hand in walk_table(rules, random.Random(seed)):  # noqa: B007  # the match is looked at when it is over
        if not hand.history:
            assert hand.pack is not None
            lying = hand.pack
        if hand.over:
            hands.append(RecordedHand(hand.dealer, lying, tuple(f"{seat} {action}" for seat, action in hand.history)))
    players = tuple(f"P{seat}" for seat in range(rules.seats))
    record = Record(rules, match.options, players, tuple(hands))
    again = parse_record(json.dumps(record.to_json()))
    assert again == record == record_from(again.to_json())
    assert again.ruleset is rules
    assert (replay(again).totals, replay(again).results) == (match.totals, match.results)


@at_each_table
def test_everyone_is_dealt_what_the_table_of_the_game_says(rules: Ruleset) -> None:
    places = order_of_deal(rules, 0)
    assert len(places) == rules.pack.bit_count()
    own = {places.count(seat) for seat in range(1, rules.seats)}
    assert len(own) == 1
    assert places.count(0) == own.pop() + rules.scart


# what a viewer may know


PUBLIC_TURNS = ("jack-given", "jack-kept", "jack-back", "taken-back", "no-jack", "must-play")


def seen_by(hand: Hand, viewer: int | None) -> int:
    """The cards whose place the viewer knows."""
    seen = set_of(card for _, action in hand.history if action.verb in ("play", "take") for card in action.cards)
    seen |= set_of(card for card in hand.face_up if card is not None)
    for happening in hand.happenings:
        seen |= set_of(card for card in (happening.card, happening.back) if card is not None)
    if hand.pack is not None and hand.cut and hand.ruleset.cut_card_shown:
        seen |= BIT[hand.pack[-1]]
    if viewer is not None:
        seen |= hand.hands[viewer] | hand.start[viewer]
        if viewer == hand.tappist and hand.contract == "normal":
            seen |= hand.tapp
    return seen


def live_again(hand: Hand, viewer: int | None, rng: random.Random) -> bool:
    """Live through the same hand in a world where two cards hidden from the viewer have changed places.

    Up to the moment where somebody could not act there as here, or something shown to all is different, the viewer must
    have seen the same. True if the worlds went all the way.
    """
    assert hand.pack is not None
    hidden = list(cards_in(hand.ruleset.pack & ~seen_by(hand, viewer)))
    if rng.random() < 0.6:
        lane = rng.choice([card // 14 for card in hidden] or [0])
        hidden = [card for card in hidden if card // 14 == lane]
    if len(hidden) < 2:
        return False
    one, two = rng.sample(hidden, 2)
    other = {one: two, two: one}
    size = len(hand.pack)
    lying = hand.pack[size - hand.cut :] + hand.pack[: size - hand.cut]
    here, there = (
        Hand(hand.ruleset, hand.dealer, pack, options=hand.option)
        for pack in (lying, [other.get(card, card) for card in lying])
    )
    for _, action in hand.history:
        assert here.view(viewer) == there.view(viewer)
        acting = action
        if action.verb in ("scart", "discard"):
            acting = replace(action, cards=tuple(other.get(card, card) for card in action.cards))
        if here.turn != there.turn or acting not in there.legal:
            return False
        here.push(action)
        there.push(acting)
        shown = [[event for event in world.happenings if event.kind in PUBLIC_TURNS] for world in (here, there)]
        if shown[0] != shown[1]:
            return False
    assert here.view(viewer) == there.view(viewer)
    return True


@at_each_table
@SOME
@given(SEEDS)
@pytest.mark.slow(but="troccas-at-4")
def test_other_worlds_look_the_same_at_every_moment(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    hand = Hand(rules, rng.randrange(rules.seats), lopsided(rules, 0, rng))
    until = rng.randrange(3, 80)
    while len(hand.history) < until:
        action = any_action(hand, rng)
        twin = hand.copy()
        twin.push(action)
        if twin.over:
            break
        hand.push(action)
    for _ in range(6):
        live_again(hand, rng.choice([*range(rules.seats), None]), rng)


@pytest.mark.parametrize(
    "rules", [rules for rules in EVERY if rules.id == "troggu"], ids=lambda rules: str(rules.seats)
)
@pytest.mark.slow(but="8")
def test_there_are_other_worlds_to_compare(rules: Ruleset) -> None:
    rng = random.Random(5)
    lived = 0
    for _ in range(40):
        hand = Hand(rules, 0, lopsided(rules, 0, rng))
        while len(hand.history) < 30:
            hand.push(any_action(hand, rng))
        lived += sum(live_again(hand, viewer, rng) for viewer in (*range(rules.seats), None))
    assert lived > 20


@pytest.mark.parametrize(
    "rules", [rules for rules in EVERY if rules.seats > 6], ids=lambda rules: f"{rules.id}-{rules.seats}"
)
@SOME
@given(SEEDS)
def test_a_called_partner_shows_only_to_himself_until_the_card_falls(rules: Ruleset, seed: int) -> None:
    for _, hand in walk_table(rules, random.Random(seed), {"hands": 1}):
        if hand.called is None or hand.over:
            continue
        fallen = any(hand.called in trick.cards for trick in hand.tricks) or hand.called in hand.trick
        for viewer in (*range(rules.seats), None):
            view = hand.view(viewer)
            knows = fallen or viewer == hand.partner or (viewer == hand.tappist and hand.partner < 0)
            assert (view.partner, view.sides) == (hand.partner, hand.sides) if knows else view.partner == -1
            if not knows:
                assert view.sides.count(UNKNOWN) == rules.seats - len({viewer, hand.tappist} - {None})


# asking for a ruleset


def test_a_game_for_many_table_sizes_is_asked_for_by_its_seats() -> None:
    assert [ruleset("troggu", seats=seats).tapp for seats in range(3, 9)] == [8, 10, 7, 8, 6, 6]
    assert ruleset("troggu", 1, 8) is ruleset("troggu", seats=8) is not ruleset("troggu")
    assert ruleset("troggu").sizes == (3, 4, 5, 6, 7, 8)
    assert ruleset("troccas").sizes == (4,)


@pytest.mark.parametrize(
    ("id", "seats", "line"),
    [("troggu", 9, "troggu has 3 to 8 players, not 9"), ("troccas", 3, "troccas has 4 players, not 3"),
     ("troggu-st-niklaus", 8, "troggu-st-niklaus has 3 to 7 players, not 8")],
)  # fmt: skip
def test_a_table_size_that_is_not_played_is_refused(id: str, seats: int, line: str) -> None:
    with pytest.raises(UnknownRuleset) as refused:
        ruleset(id, seats=seats)
    assert str(refused.value) == line


@at_each_table
def test_a_game_has_one_hand_for_each_player_unless_agreed_otherwise(rules: Ruleset) -> None:
    assert rules.settled_options({})["hands"] == rules.seats
