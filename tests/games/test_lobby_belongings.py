"""What becomes of people's chairs when a guest becomes a member or somebody goes; and how they are told of tables."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.services import claim, retire
from games.lobby import notifications, privacy
from games.lobby.models import Invitation, OpenTable
from games.lobby.services import tables
from notices import registry
from notices.models import Outbox
from tests.games.lobby_kit import guest, join, lay, member, sitting

pytestmark = pytest.mark.django_db


def test_a_guest_who_makes_an_account_keeps_tables_and_chairs():
    visitor, account = guest("Nona"), member("Nona")
    own, other = lay(visitor), lay(member("Anna"))
    join(other, visitor)
    claim(visitor, account)
    own.refresh_from_db()
    assert own.host == account
    assert own.chairs.get().player == account
    assert other.chairs.filter(player=account).exists()


def test_nobody_sits_at_one_table_twice_after_signing_in():
    visitor, account = guest("Nona"), member("Nona")
    table = lay(member("Anna"))
    join(table, visitor)
    join(table, account)
    claim(visitor, account)
    assert list(table.chairs.values_list("player", flat=True)) == [table.host_id, account.pk]
    table.refresh_from_db()
    assert table.free == 2


def test_no_seat_is_kept_for_somebody_who_sits_there_since_they_signed_in():
    """Nona was invited with her account, and came by the link as a guest; the guest was invited too."""
    visitor, account = guest("Nona"), member("Nona")
    table = lay(member("Anna"))
    for person, seat in ((account, 2), (visitor, 3)):
        tables.invite(table.pk, table.host, person, seat=seat, request_id=uuid.uuid4())
    join(table, visitor)
    claim(visitor, account)
    assert list(table.invitations.values_list("player", "state")) == [(account.pk, Invitation.State.ACCEPTED)]
    assert join(table, member("Beat"), seat=2).chairs.count() == 3


def test_who_goes_for_good_leaves_every_table_and_the_others_wait_on():
    visitor, friend = guest("Nona"), member("Anna")
    own, shared, other = lay(visitor), lay(visitor, note="Nona wants to play"), lay(friend)
    join(shared, friend)
    join(other, visitor)
    third = lay(friend)
    tables.invite(third.pk, friend, visitor, request_id=uuid.uuid4())
    assert retire(visitor, timezone.now())
    assert sitting(other) == {0: "Anna"}
    shared.refresh_from_db()
    assert (shared.host, shared.note) == (friend, "")
    assert not Invitation.objects.exists()
    assert not OpenTable.objects.filter(pk=own.pk).exists()
    assert not type(visitor).objects.filter(pk=visitor.pk).exists()


def test_the_export_holds_what_one_did_at_tables_and_nothing_of_others():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, note="Come in", language="de")
    join(table, friend)
    data: dict[str, Any] = privacy.export(host)
    assert data["tables"][0]["note"] == "Come in"
    assert [row["what"] for row in data["at_tables"]] == ["laid"]
    assert "Beat" not in str(data)


# being told


def notice(event, player):
    return Outbox.objects.get(event=event, player=player)


def says(row, language="en"):
    return notifications.words(row.event, row.params, row.player, language)


def true(row):
    return notifications.still_true(row.event, row.params, row.player)


def test_an_invitation_is_told_with_a_name_and_leads_to_the_table():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    row = notice("table.invited", friend)
    words = says(row)
    assert words.line.startswith("Anna invites you to a table.")
    assert words.url == f"/t/{table.public_id}/"
    assert row.expires_at == table.expires_at
    assert "Anna" not in str(row.params)  # who is called so now, not then


def test_an_invitation_that_was_answered_is_not_told_any_more():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    row = notice("table.invited", friend)
    assert true(row)
    tables.decline(table.pk, friend, request_id=uuid.uuid4())
    assert not true(row)


def test_news_of_a_table_are_for_its_host_while_it_waits():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend)
    row = notice("table.joined", host)
    assert says(row).line == "Beat has sat down at your table."
    assert true(row)
    tables.start(table.pk, host, request_id=uuid.uuid4())
    assert not true(row)
    begun = notice("table.started", friend)
    assert true(begun)
    assert says(begun).url.startswith("/g/")


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_every_event_of_the_door_has_words(language):
    host, friend, third = member("Anna"), member("Beat"), member("Clau")
    table = lay(host, computers=1, host_starts=True)
    for player in (friend, third):
        tables.invite(table.pk, host, player, request_id=uuid.uuid4())
    tables.decline(table.pk, third, request_id=uuid.uuid4())
    join(table, friend)
    tables.leave(table.pk, friend, request_id=uuid.uuid4())
    join(table, friend)
    join(table, third)
    tables.remove(table.pk, host, seat=table.chairs.get(player=third).number, request_id=uuid.uuid4())
    tables.close(table.pk, host, request_id=uuid.uuid4())
    other = lay(host)
    join(other, friend)
    tables.expire(other.pk, other.expires_at + timedelta(seconds=1))
    begun = lay(host)
    join(begun, friend)
    tables.start(begun.pk, host, request_id=uuid.uuid4())
    rows = Outbox.objects.filter(event__startswith="table.")
    assert {row.event for row in rows} == {
        f"table.{event}"
        for event in (
            "invited",
            "declined",
            "joined",
            "left",
            "removed",
            "closed",
            "ending",
            "expired",
            "started",
            "filled",
        )
    }
    for row in rows:
        words = says(row, language)
        assert words is not None
        assert words.subject
        assert words.line


def test_a_table_is_a_subject_to_those_it_concerns():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    assert registry.find_subject(friend, table.public_id) is None
    found = registry.find_subject(host, table.public_id)
    assert found is not None
    assert (found.name, found.url) == ("a table of Troccas", f"/t/{table.public_id}/")
