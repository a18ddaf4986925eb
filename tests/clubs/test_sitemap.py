"""What search engines are told of clubs and their tournaments: only what these clubs let them keep."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from clubs.models import Club
from tests.clubs import kit
from tests.tournaments.services.kit import Night
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def sitemap() -> str:
    """The sitemap of the site."""
    return Client().get("/sitemap.xml").content.decode()


def lines(night: Night) -> tuple[str, str]:
    """How a club and its tournament would stand there."""
    club, tournament = f"/c/{night.club.slug}/", f"/e/{night.tournament.public_id}/"
    return f"<loc>{settings.SITE_URL}{club}</loc>", f"<loc>{settings.SITE_URL}{tournament}</loc>"


def test_clubs_that_let_search_engines_in_are_named_with_their_public_tournaments():
    night = Night.at()
    club, tournament = lines(night)
    assert club not in sitemap()
    assert tournament not in sitemap()
    Club.objects.update(found_by_search=True)
    assert club in sitemap()
    assert tournament in sitemap()


@pytest.mark.parametrize("change", [{"is_public": False}, {"status": Tournament.Status.CANCELLED}])
def test_tournaments_for_members_and_cancelled_ones_are_not_named(change):
    night = Night.at()
    Club.objects.update(found_by_search=True)
    Tournament.objects.update(**change)
    assert lines(night)[0] in sitemap()
    assert lines(night)[1] not in sitemap()


def test_what_the_sitemap_names_says_that_it_may_be_kept():
    night, club = Night.at(), kit.staffed().club
    Club.objects.update(found_by_search=True)
    for path in (f"/c/{club.slug}/", f"/e/{night.tournament.public_id}/"):
        answer = Client().get(path)
        assert "X-Robots-Tag" not in answer, path
        assert 'name="robots"' not in answer.content.decode(), path
