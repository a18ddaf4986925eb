"""Deleting an account: what becomes of the clubs is said before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from clubs.models import Club, Member
from tests.accounts.conftest import confirm_password
from tests.clubs import kit
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = "/en/you/delete/"


def recently_signed_in(player):
    """A browser of this player in which the password has just been given."""
    client = kit.browser(player)
    confirm_password(client)
    return client


@pytest.fixture
def alone():
    """Somebody who alone presides over a club, with an entry and an evening tonight that only members see."""
    nora = kit.person("Nora Nay")
    club = kit.club_of(nora)
    kit.enter(club, nora, "Ada", "Alig")
    starts = timezone.now() + timedelta(hours=1)
    Tournament.objects.create(club=club, name="Evening tonight", starts=starts, is_public=False)
    return nora


def test_a_club_that_would_be_closed_is_named_and_must_be_agreed_to(alone):
    client = recently_signed_in(alone)
    page = client.get(PAGE).content.decode()
    assert "Troccas Trun is closed" in page
    assert "2 entries" in page
    assert "Evening tonight" in page
    refused = client.post(PAGE)
    assert refused.status_code == 422
    assert "tick what you agree to" in refused.content.decode()
    assert Club.objects.exists()
    assert User.objects.exists()
    assert client.post(PAGE, {"agreed": "club:troccas-trun"}).status_code == 302
    assert not Club.objects.exists()
    assert not User.objects.exists()


def test_a_club_that_passes_to_somebody_else_needs_no_consent(people):
    client = recently_signed_in(people.president)
    page = client.get(PAGE).content.decode()
    assert "Sep Seeli becomes president of Troccas Trun." in page
    assert 'name="agreed"' not in page
    assert client.post(PAGE).status_code == 302
    assert Member.objects.get(club=people.club, role=Member.Role.PRESIDENT).player == people.secretary


def test_whoever_does_not_preside_over_a_club_reads_nothing_about_it(people):
    assert "Troccas Trun" not in recently_signed_in(people.secretary).get(PAGE).content.decode()


def test_whoever_leaves_reads_which_clubs_keep_the_entry_they_made_themselves(people):
    ada = kit.person("Ada Alig")
    entry = kit.enter(people.club, people.president, "Ada", "Alig")
    Member.objects.filter(pk=entry.pk).update(player=ada)
    client = recently_signed_in(ada)
    page = client.get(PAGE).content.decode()
    assert "Troccas Trun keeps the entry that the club itself made for you, with the name it wrote down." in page
    assert client.post(PAGE).status_code == 302
    kept = Member.objects.get(pk=entry.pk)
    assert (kept.first_name, kept.last_name, kept.player) == ("Ada", "Alig", None)


def test_closing_a_club_says_what_becomes_of_its_evenings(alone):
    club = Club.objects.get()
    page = kit.browser(alone).get(f"/c/{club.slug}/close/").content.decode()
    assert "are deleted with everything in them: Evening tonight (" in page
