"""The fair pack: known answers, what a proof catches, and that a shuffle is a fair shuffle."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine import shuffle
from domain.engine.shuffle import CANONICAL_62, CANONICAL_78, HmacDrbg, Proof

VECTORS = json.loads((Path(__file__).parent / "shuffle_vectors.json").read_text(encoding="utf-8"))
SECRET = bytes(range(32))
FACTS: dict[str, Any] = {"table": "k7Qm-2x_A", "hand": 0, "ruleset": "troccas", "ruleset_version": 1}


def named(vectors: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(vector, id=vector["name"]) for vector in vectors]


def cards(text: str) -> list[str]:
    return text.split()


def test_canonical_packs_are_those_of_the_specification() -> None:
    assert " ".join(CANONICAL_78) == VECTORS["canonical"]["78"]
    assert " ".join(CANONICAL_62) == VECTORS["canonical"]["62"]
    assert len(set(CANONICAL_78)) == 78
    assert len(set(CANONICAL_62)) == 62
    assert not {"S4", "B1", "C7", "O10"} & set(CANONICAL_62)


def test_generator_gives_the_published_answers_of_nist() -> None:
    for vector in VECTORS["drbg"]:
        drbg = HmacDrbg(bytes.fromhex(vector["entropy_input"] + vector["nonce"] + vector["personalization"]))
        drbg.generate(128)
        assert drbg.generate(128).hex() == vector["returned"], vector


def test_generator_gives_as_many_bytes_as_asked_for() -> None:
    assert [len(HmacDrbg(SECRET).generate(count)) for count in (0, 1, 32, 33, 1 << 16)] == [0, 1, 32, 33, 1 << 16]


@pytest.mark.parametrize("count", [-1, (1 << 16) + 1])
def test_generator_refuses_requests_the_standard_forbids(count: int) -> None:
    with pytest.raises(ValueError, match="bytes at a time"):
        HmacDrbg(SECRET).generate(count)


def test_shuffles_are_those_of_the_specification() -> None:
    for vector in VECTORS["shuffled"]:
        order = shuffle.shuffled(range(vector["count"]), bytes.fromhex(vector["seed"]), label=vector["label"])
        assert list(order) == vector["order"], vector["label"]


def test_verify_finds_exactly_what_is_wrong() -> None:
    for vector in VECTORS["deals"]:
        proof = Proof.from_json(vector["proof"])
        arrangements = [cards(text) for text in vector["arrangements"]]
        found = shuffle.verify(proof, cards(vector["pack"]), arrangements=arrangements, lifted=vector.get("lifted"))
        assert found == vector["problems"], vector["name"]


def test_seeds_and_proofs_are_those_of_the_specification() -> None:
    for vector in VECTORS["deals"]:
        proof = Proof.from_json(vector["proof"])
        assert proof.seed().hex() == vector["seed"], vector["name"]
        assert json.loads(json.dumps(proof.to_json())) == vector["proof"], vector["name"]


@pytest.mark.parametrize("vector", named(VECTORS["malformed"]))
def test_malformed_proofs_are_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected|belong"):
        Proof.from_json(vector["proof"])


@pytest.mark.parametrize("key", ["scheme", "table", "hand", "ruleset", "ruleset_version", "commitment", "secret"])
def test_a_proof_without_one_of_its_parts_is_refused_by_name(key: str) -> None:
    data = {name: value for name, value in VECTORS["deals"][0]["proof"].items() if name != key}
    with pytest.raises(ValueError, match=f"^{key}: "):
        Proof.from_json(data)


def test_a_proof_is_a_json_object() -> None:
    with pytest.raises(ValueError, match="JSON object"):
        Proof.from_json([])


@given(
    secret=st.binary(min_size=32, max_size=32),
    entropy=st.dictionaries(st.integers(0, 7), st.binary(min_size=16, max_size=16)),
)
def test_every_pack_is_complete_and_proven(secret: bytes, entropy: dict[int, bytes]) -> None:
    pack = shuffle.shuffled(CANONICAL_78, shuffle.seed(secret, entropy=entropy, **FACTS))
    assert Counter(pack) == Counter(CANONICAL_78)
    assert shuffle.verify(Proof.of(secret, entropy=entropy, **FACTS), pack) == []


@given(seat=st.integers(0, 3), entropy=st.binary(min_size=16, max_size=16))
def test_one_contribution_is_enough_to_make_another_pack(seat: int, entropy: bytes) -> None:
    alone = shuffle.shuffled(CANONICAL_78, shuffle.seed(SECRET, entropy={}, **FACTS))
    assert shuffle.shuffled(CANONICAL_78, shuffle.seed(SECRET, entropy={seat: entropy}, **FACTS)) != alone


def test_the_order_in_which_contributions_arrived_does_not_matter() -> None:
    given_first, given_last = bytes(16), bytes([1]) * 16
    one = shuffle.seed(SECRET, entropy={0: given_first, 3: given_last}, **FACTS)
    assert one == shuffle.seed(SECRET, entropy={3: given_last, 0: given_first}, **FACTS)
    assert one != shuffle.seed(SECRET, entropy={0: given_last, 3: given_first}, **FACTS)


def test_pack_draw_and_tricks_share_no_randomness() -> None:
    orders = {
        shuffle.shuffled(CANONICAL_78, SECRET, label=shuffle.PACK),
        shuffle.shuffled(CANONICAL_78, SECRET, label=shuffle.DRAW),
        shuffle.gathered([CANONICAL_78], SECRET),
    }
    assert len(orders) == 3


@given(st.lists(st.lists(st.integers(), max_size=8), max_size=20), st.binary(min_size=32, max_size=32))
def test_gathering_mixes_only_within_each_trick(piles: list[list[int]], seed: bytes) -> None:
    pack = iter(shuffle.gathered(piles, seed))
    for pile in piles:
        assert Counter(next(pack) for _ in pile) == Counter(pile)
    assert list(pack) == []


def test_equal_tricks_are_not_all_mixed_alike() -> None:
    mixed = shuffle.gathered([range(6)] * 10, SECRET)
    assert len({mixed[at : at + 6] for at in range(0, 60, 6)}) > 5


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)))
def test_arranging_moves_no_other_card(pack: list[int], mine: set[int]) -> None:
    outcome = shuffle.arranged(pack, sorted(mine))
    assert [card for card in outcome if card in mine] == sorted(mine)
    assert [(at, card) for at, card in enumerate(outcome) if card not in mine] == [
        (at, card) for at, card in enumerate(pack) if card not in mine
    ]


@pytest.mark.parametrize("order", [["CK", "CK"], ["CK", "T1"]])
def test_an_arrangement_that_is_none_is_refused(order: list[str]) -> None:
    with pytest.raises(ValueError, match="arrangement"):
        shuffle.arranged(["CK", "CQ"], order)


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-squared over places for three cards; 77 degrees of freedom exceed 130 once in ten thousand fair trials.

    The seeds are fixed, so this either always passes or always fails.
    """
    rounds = 7800
    packs = [shuffle.shuffled(range(78), number.to_bytes(32, "big")) for number in range(rounds)]
    for card in (0, 38, 77):
        places = Counter(pack.index(card) for pack in packs)
        assert sum((places[at] - rounds / 78) ** 2 / (rounds / 78) for at in range(78)) < 130


def test_all_orders_of_four_cards_are_equally_frequent() -> None:
    rounds = 4800
    orders = Counter(shuffle.shuffled("abcd", number.to_bytes(32, "big")) for number in range(rounds))
    assert len(orders) == 24
    # 23 degrees of freedom: beyond 60 once in thirty thousand fair trials.
    assert sum((seen - 200) ** 2 / 200 for seen in orders.values()) < 60


def test_the_cards_given_are_left_as_they_were() -> None:
    mine = ["CK", "CQ", "CN", "CJ"]
    shuffle.shuffled(mine, SECRET)
    assert mine == ["CK", "CQ", "CN", "CJ"]


def test_secrets_are_long_and_never_the_same() -> None:
    drawn = {shuffle.new_secret() for _ in range(100)}
    assert len(drawn) == 100
    assert {len(secret) for secret in drawn} == {32}


@pytest.mark.parametrize(
    ("wrong", "named_in_message"),
    [
        ({"table": "a|b"}, "table"),
        ({"table": ""}, "table"),
        ({"table": "é"}, "table"),
        ({"hand": -1}, "hand"),
        ({"ruleset": "tro ccas"}, "ruleset"),
        ({"ruleset_version": 0}, "ruleset_version"),
        ({"entropy": {10: bytes(16)}}, "seat"),
        ({"entropy": {0: bytes(15)}}, "entropy of seat 0"),
    ],
)
def test_malformed_facts_make_no_seed(wrong: dict[str, Any], named_in_message: str) -> None:
    with pytest.raises(ValueError, match=f"^{named_in_message}: "):
        shuffle.seed(SECRET, **{"entropy": {}, **FACTS, **wrong})


def test_a_short_secret_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match=r"^secret: 32 bytes expected, not 3$"):
        shuffle.commitment(b"abc", table="t", hand=0)


def test_more_cards_than_a_byte_can_choose_from_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 256"):
        shuffle.shuffled(range(257), SECRET)


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffle.shuffled(CANONICAL_78, b"short")
