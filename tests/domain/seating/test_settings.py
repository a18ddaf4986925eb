"""How numbers are divided into tables."""

from itertools import product

import pytest

from domain.errors import DomainError
from domain.seating.field import (
    FIVE_ALONE,
    FOR_PLAYERS,
    FOUR,
    SIX_IN_TEAMS,
    THREE_ALONE,
    Settings,
    Shape,
    Weights,
    alone,
    tables_for,
)

EVERYTHING = Settings(shapes=(FOUR, THREE_ALONE, FIVE_ALONE, SIX_IN_TEAMS))


def sizes(count, settings):
    shapes, out = tables_for(count, settings)
    return sorted(shape.size for shape in shapes), out


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (4, ([4], 0)),
        (5, ([5], 0)),
        (6, ([3, 3], 0)),
        (7, ([3, 4], 0)),
        (21, ([4, 4, 4, 4, 5], 0)),
        (22, ([3, 3, 4, 4, 4, 4], 0)),
        (23, ([3, 4, 4, 4, 4, 4], 0)),
        (2, ([], 2)),
        (0, ([], 0)),
    ],
)
def test_as_few_odd_tables_as_can_be(count, expected):
    """Research, 3.5: the table of fewest odd tables."""
    assert sizes(count, FOR_PLAYERS) == expected


def test_who_would_rather_sit_out_does():
    assert sizes(22, Settings(bye_price=10)) == ([4] * 5, 2)


def test_only_fours_leave_up_to_three_sitting_out():
    only = Settings(shapes=(FOUR,))
    assert [sizes(count, only)[1] for count in range(4, 12)] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_players_alone_sit_near_the_usual_size():
    assert sizes(23, Settings(shapes=alone())) == ([4, 4, 5, 5, 5], 0)
    assert sizes(8, Settings(shapes=alone())) == ([4, 4], 0)
    assert sizes(11, Settings(shapes=alone())) == ([5, 6], 0)


@pytest.mark.parametrize("settings", [FOR_PLAYERS, EVERYTHING, Settings(bye_price=30), Settings(shapes=alone())])
def test_no_division_is_cheaper(settings):
    for count in range(20):
        shapes, out = tables_for(count, settings)
        assert sum(shape.size for shape in shapes) + out == count
        price = sum(shape.price for shape in shapes) + out * settings.bye_price
        for times in product(*(range(count // shape.size + 1) for shape in settings.shapes)):
            seated = sum(n * shape.size for n, shape in zip(times, settings.shapes, strict=True))
            if seated <= count:
                other = sum(n * shape.price for n, shape in zip(times, settings.shapes, strict=True))
                assert other + (count - seated) * settings.bye_price >= price


@pytest.mark.parametrize(
    ("make", "code", "field"),
    [
        (lambda: Settings(shapes=()), "no-shapes", "shapes"),
        (lambda: Settings(shapes=(FOUR, Shape(4))), "size-twice", "shapes"),
        (lambda: Settings(bye_price=0), "bad-price", "bye_price"),
        (lambda: Settings(steps=-1), "bad-steps", "steps"),
        (lambda: Shape(9), "bad-size", "shapes"),
        (lambda: Shape(4, price=-1), "bad-price", "shapes"),
        (lambda: Shape(4, ((0, 4),)), "bad-partners", "shapes"),
        (lambda: Weights(apart=-1), "bad-weight", "apart"),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(make, code, field):
    with pytest.raises(DomainError) as refused:
        make()
    assert (refused.value.code, refused.value.field) == (code, field)
