"""The generator, recomputed here from its description."""

import hashlib
from collections import Counter

import pytest

from domain.errors import DomainError
from domain.seating.chance import Chance, commitment

SEED = bytes(range(32))


def words(label, count):
    """By the book, one block at a time."""
    key = hashlib.sha256(b"troccas-seating-1|" + label.encode() + b"|" + SEED).digest()
    stream = b"".join(hashlib.sha256(key + i.to_bytes(8, "big")).digest() for i in range(count // 8 + 1))
    return [int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(count)]


def test_words_are_those_of_the_description():
    chance = Chance(SEED, "draw|1|")
    assert [chance.word() for _ in range(600)] == words("draw|1|", 600)


def test_the_first_words_stay_what_they_are():
    chance = Chance(SEED, "draw|1|")
    assert [chance.word() for _ in range(4)] == [3573862945, 3093251394, 4120374759, 4099049402]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 840, 2**31 + 1, 2**32])
def test_below_throws_away_words_that_would_favour_somebody(bound):
    chance = Chance(SEED, "x")
    fair = [word for word in words("x", 400) if (word * bound) % 2**32 >= 2**32 % bound]
    expected = [word * bound // 2**32 for word in fair[:100]]
    assert [chance.below(bound) for _ in range(100)] == expected
    assert all(0 <= number < bound for number in expected)


def test_below_is_even():
    chance = Chance(SEED, "even")
    counts = Counter(chance.below(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(880 < count < 1120 for count in counts.values())


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_below_wants_a_sensible_bound(bound):
    with pytest.raises(ValueError, match="expected"):
        Chance(SEED, "x").below(bound)


def test_shuffling_keeps_everybody_and_the_list_given():
    people = list(range(50))
    shuffled = Chance(SEED, "x").shuffled(people)
    assert people == list(range(50))
    assert sorted(shuffled) == people != shuffled


def test_a_commitment_fixes_seed_and_inputs():
    made = commitment(SEED, b"list")
    by_hand = hashlib.sha256(b"troccas-seating-1|commit|" + SEED + hashlib.sha256(b"list").digest()).hexdigest()
    assert made == by_hand
    assert len({made, commitment(SEED, b"other list"), commitment(bytes(32), b"list")}) == 3


def test_a_seed_has_32_bytes():
    for use in (lambda: Chance(b"", "x"), lambda: commitment(b"short", b"")):
        with pytest.raises(DomainError) as refused:
            use()
        assert (refused.value.code, refused.value.facts["expected"]) == ("bad-seed", 32)
