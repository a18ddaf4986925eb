"""What is given to a draw, and what is refused."""

import pytest

from domain.errors import DomainError
from domain.seating.field import Entrant, Field, Past

ADA, BEN = Entrant("ada"), Entrant("ben")


@pytest.mark.parametrize(
    ("make", "code", "field"),
    [
        (lambda: Entrant(""), "bad-id", "id"),
        (lambda: Entrant("a", seed=-1), "negative", "seed"),
        (lambda: Entrant("a", carried=-1), "negative", "carried"),
        (lambda: Field((ADA, ADA)), "id-twice", "entrants"),
        (lambda: Field((ADA,), absent=frozenset({"leo"})), "unknown-id", "absent"),
        (lambda: Field((ADA,), standing=(("leo", 1),)), "unknown-id", "standing"),
        (lambda: Field((ADA,), standing=(("ada", 1), ("ada", 2))), "id-twice", "standing"),
        (lambda: Field((ADA,), apart=(("ada", "leo"),)), "unknown-id", "apart"),
        (lambda: Past((("ada", "ben"), ("ada", "leo"))), "twice-in-a-round", "rounds"),
        (lambda: Past((("ada", "ben"),), out=("ada",)), "twice-in-a-round", "rounds"),
        (lambda: Past((), weight=-1), "negative", "weight"),
        (lambda: Field(tuple(Entrant(str(i)) for i in range(5001))), "too-many", "entrants"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(make, code, field):
    with pytest.raises(DomainError) as refused:
        make()
    assert (refused.value.code, refused.value.field) == (code, field)


def test_absent_people_are_not_present_and_have_no_points_yet():
    field = Field((BEN, ADA), absent=frozenset({"ada"}), standing=(("ben", 3),), rounds=(Past(()),))
    assert [entrant.id for entrant in field.present] == ["ben"]
    assert field.points() == {"ada": 0, "ben": 3}
    assert field.number == 2
