"""What is told of clubs: in words, as long as it is true."""

from __future__ import annotations

import pytest

from accounts.models import Player
from clubs import notifications, privacy
from clubs.models import SLUG_LENGTH, Club
from clubs.services import common, joining
from clubs.services.common import Person
from notices import outbox, registry
from notices.models import Outbox
from tests.clubs import kit

pytestmark = pytest.mark.django_db


def told(event: str, player: Player) -> Outbox:
    return Outbox.objects.get(event=event, player=player)


def test_a_request_is_worth_telling_until_it_is_answered(people):
    asked = joining.ask(people.club, people.stranger, Person("Stina", "Solèr"), "", request_id=kit.rid())
    row = Outbox.objects.filter(event="club.asked", player=people.secretary).latest("pk")
    words = notifications.words(row.event, row.params, people.secretary, "en")
    assert words.subject == "Somebody wants to join: Troccas Trun"
    assert words.line == "Stina Solèr asks to become a member."
    assert kit.browser(people.secretary).get(words.url).status_code == 200
    assert notifications.still_true(row.event, row.params, people.secretary)
    joining.decline(people.club, people.president, asked.public_id, request_id=kit.rid())
    assert not notifications.still_true(row.event, row.params, people.secretary)


def test_an_invitation_is_worth_telling_until_it_is_revoked(people):
    link = joining.invite(
        people.club, people.secretary, holds=joining.HOLDS[0], player=people.stranger, request_id=kit.rid()
    )
    row = told("club.invited", people.stranger)
    assert notifications.words(row.event, row.params, people.stranger, "en").url.endswith(f"{link.token}/")
    assert notifications.still_true(row.event, row.params, people.stranger)
    joining.revoke(people.club, people.secretary, link.pk, request_id=kit.rid())
    assert not notifications.still_true(row.event, row.params, people.stranger)


def test_the_end_of_a_club_is_told_by_the_name_it_had(people):
    common.close(people.club, people.president, request_id=kit.rid())
    row = told("club.closed", people.member)
    assert notifications.still_true(row.event, row.params, people.member)
    assert "Troccas Trun" in notifications.words(row.event, row.params, people.member, "en").subject
    assert outbox.tell_due() >= 4


def test_a_club_is_a_subject_to_notices(people):
    found = registry.find_subject(people.member, f"club:{people.club.slug}")
    assert (found.name, found.url) == ("Troccas Trun", f"/c/{people.club.slug}/")
    assert privacy.find_subject(people.member, "bcdf") is None


@pytest.mark.services
def test_a_club_with_the_longest_address_can_tell_its_people(people):
    """PostgreSQL refuses what is longer than its column."""
    Club.objects.filter(pk=people.club.pk).update(slug="x" * SLUG_LENGTH)
    people.club.refresh_from_db()
    joining.ask(people.club, people.stranger, Person("Stina", "Solèr"), "", request_id=kit.rid())
    row = Outbox.objects.filter(event="club.asked", player=people.secretary).latest("pk")
    assert row.topic == f"club:{'x' * SLUG_LENGTH}"
