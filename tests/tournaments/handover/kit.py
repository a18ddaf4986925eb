"""Another computer, for tests: everything of the first one is gone there, and what happens there is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import transaction

from accounts.models import Player
from clubs.models import Club
from tests.tournaments.services.kit import Night, member_player
from tournaments import selectors
from tournaments.handover import files, services
from tournaments.models import Tournament


class _Home(Exception):
    """The other computer is left again."""


@contextmanager
def another_computer() -> Iterator[Player]:
    """A computer that has never heard of the evening, and somebody with an account there."""
    with suppress(_Home), transaction.atomic():
        Tournament.objects.all().delete()
        Club.objects.all().delete()
        yield member_player("Laptop")
        raise _Home


def saved(night: Night) -> bytes:
    """The file of the evening as it stands."""
    night.tournament = Tournament.objects.select_related("club").get(pk=night.tournament.pk)
    return services.file_of(night.tournament)


def opened(data: bytes, by: Player) -> Night:
    """The evening as it goes on from a file."""
    found = services.open_evening(files.read(data), by).tournament
    selectors.forget(found.public_id)
    return Night(found.club, found, by)
