"""Who is seated together: nothing that anybody excluded, and always somebody where a simple enumeration finds a group."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from games.meeting.matching import Candidate, Offer, find_group, most_with

OFFERS = [
    Offer("troccas", 4, "day"),
    Offer("troccas-3", 3, "day"),
    Offer("troccas", 4, "slow"),
    Offer("troggu", 5, "day"),
]
LANGUAGES = ["de", "en", "rm-sursilv"]


@st.composite
def crowds(draw):
    """Some wishes of a few people, who block each other at random."""
    count = draw(st.integers(0, 9))
    people = [
        Candidate(
            key,
            draw(st.integers(1, 8)),
            frozenset(draw(st.sets(st.sampled_from(OFFERS), min_size=1))),
            frozenset(draw(st.sets(st.sampled_from(LANGUAGES), max_size=2))),
        )
        for key in range(100, 100 + count)
    ]
    blocks: dict[int, set[int]] = {}
    for one, other in draw(st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=8)):
        if one != other:
            blocks.setdefault(one, set()).add(other)
            blocks.setdefault(other, set()).add(one)
    return people, blocks


def fits(group, offer, blocks) -> bool:
    """The definition, word for word."""
    players = [each.player for each in group]
    accepted = [set(each.languages) for each in group if each.languages]
    return (
        len(group) == offer.size
        and all(offer in each.offers for each in group)
        and len(set(players)) == len(players)
        and not any(other in blocks.get(one, ()) for one, other in combinations(players, 2))
        and (not accepted or bool(set.intersection(*accepted)))
    )


@given(crowds())
def test_a_group_breaks_no_wish_and_is_found_whenever_there_is_one(crowd):
    people, blocks = crowd
    groups = [
        (offer, group) for offer in OFFERS for group in combinations(people, offer.size) if fits(group, offer, blocks)
    ]
    found = find_group(people, blocks)
    assert (found is None) == (not groups)
    if found is not None:
        group = [next(each for each in people if each.key == key) for key in found.keys]
        assert fits(group, found.offer, blocks)
        assert found.language == "" or all(not each.languages or found.language in each.languages for each in group)
        assert (found.language == "") == (not any(each.languages for each in group))
        assert list(found.keys) == min(sorted(each.key for each in group) for _offer, group in groups)


@given(crowds())
def test_how_many_are_missing_is_counted_exactly(crowd):
    people, blocks = crowd
    for one in people:
        others = [each for each in people if each is not one]
        for offer in one.offers:
            sizes = [
                size
                for size in range(1, offer.size + 1)
                for group in combinations(others, size - 1)
                if fits_smaller([one, *group], offer, blocks)
            ]
            assert most_with(one, others, offer, blocks) == max(sizes, default=1)


def fits_smaller(group, offer, blocks) -> bool:
    """Whether a part of a group fits, whatever its size."""
    freed = [
        Candidate(
            each.key,
            each.player,
            frozenset({offer._replace(size=len(group))} if offer in each.offers else ()),
            each.languages,
        )
        for each in group
    ]
    return fits(freed, offer._replace(size=len(group)), blocks)


def test_nobody_is_seated_with_themselves():
    twice = [Candidate(key, 1, frozenset({OFFERS[1]})) for key in (1, 2, 3)]
    assert find_group(twice, {}) is None


def test_many_who_block_each_other_cost_no_endless_search():
    """Twenty-one crowds in each of which nobody meets anybody, for a table of twenty-two: there is none, and it is soon said."""
    offer = Offer("troggu", 22, "day")
    people = [Candidate(key, key, frozenset({offer})) for key in range(210)]
    blocks = {key: {other for other in range(210) if other != key and other % 21 == key % 21} for key in range(210)}
    assert find_group(people, blocks) is None
