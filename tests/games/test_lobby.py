"""The door of tables that wait: filling, beginning, leaving, sending away, inviting, expiring; all of it done once."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import permissions as account_permissions
from domain.pace import Terms
from games.exceptions import MayNotMeet
from games.lobby import tasks as lobby_tasks
from games.lobby.exceptions import CannotInvite
from games.lobby.models import Invitation, OpenTable, TableEvent
from games.lobby.services import tables as lobby_services_tables
from games.models import Game
from games.services import play
from games.table import tasks
from notices import outbox
from notices.models import Outbox
from notices.preferences import note_looking
from tests.games.lobby_kit import DAYS, LIVE, guest, join, lay, member, sitting, wish
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def told(player) -> list[str]:
    """The notices of a player about tables, those that are for later aside."""
    now = Outbox.objects.filter(player=player, event__startswith="table.", due_at__lte=timezone.now())
    return list(now.order_by("pk").values_list("event", flat=True))


def state(table) -> str:
    table.refresh_from_db()
    return str(table.state)


def test_a_table_fills_and_becomes_the_game_that_was_agreed():
    host, others = member("Anna"), [member("Beat"), guest("Clau"), member("Dora")]
    table = lay(host, options={"hands": 2, "throw_in": False}, pace=DAYS)
    for seat, player in zip((2, 1, 3), others, strict=True):
        assert state(table) == "waiting"
        seated = join(table, player, seat)
    game = seated.game
    assert game is not None
    assert state(table) == "started"
    assert table.game == game
    assert [seat.player.display_name for seat in game.seats.select_related("player")] == [
        "Anna",
        "Clau",
        "Beat",
        "Dora",
    ]
    assert (game.options["hands"], game.options["throw_in"]) == (2, False)
    assert Terms.from_json(game.pace) == DAYS
    assert not game.draws_partners
    assert game.hands.get().dealer == 0


def test_everybody_who_waited_is_told_that_it_begins_and_the_host_of_each_who_comes():
    host, first, second = member("Anna"), member("Beat"), member("Clau")
    table = lay(host, "troccas-3")
    join(table, first)
    join(table, second)
    assert told(host) == ["table.joined", "table.started"]
    assert told(first) == ["table.started"]
    assert told(second) == []  # who took the last seat sees it


def test_who_leaves_the_game_again_is_not_told_that_it_begins():
    host = member("Anna")
    table = lay(host)
    for name in ("Beat", "Carla", "Duri"):
        join(table, member(name))
    table.refresh_from_db()
    outbox.tell_due()
    begun = Outbox.objects.filter(player=host, event="table.started", topic=table.game.public_id)
    assert begun.get().read_at is None
    play.resign(table.game.pk, 0, request_id=uuid.uuid4(), by=host)
    assert begun.get().read_at is not None


def test_who_looks_at_the_table_that_waits_sees_that_it_begins_and_is_not_told():
    host, first, second = member("Anna"), member("Beat"), member("Clau")
    table = lay(host, "troccas-3")
    join(table, first)
    note_looking(host, table.public_id)
    join(table, second)
    assert told(host) == ["table.joined"]
    assert told(first) == ["table.started"]


def test_where_partners_are_drawn_the_draw_decides_who_sits_where():
    players = [member(name) for name in ("Anna", "Beat", "Clau", "Dora")]
    table = lay(players[0], seating=OpenTable.Seating.DRAW)
    for player in players[1:]:
        join(table, player, seat=3)  # no seat is chosen here
    assert sorted(sitting(table)) == [0, 1, 2, 3]
    table.refresh_from_db()
    game = table.game
    assert game is not None
    assert game.draws_partners
    tasks.do_due(timezone.now() + timedelta(minutes=1))
    drawn = game.actions.get(text="drawn").data
    assert sorted(drawn["seats"]) == [0, 1, 2, 3]


def test_computer_players_take_the_seats_they_were_given_and_alone_with_them_it_begins_at_once():
    host = guest("")  # nobody is awaited, so no name is asked for
    table = lay(host, computers=3, at=[1, 3, 2], pace=DAYS)
    assert table.state == "started"
    game = Game.objects.get(laid_as=table)
    assert game.pace["kind"] == "days"
    assert [seat.player.is_computer for seat in game.seats.select_related("player")] == [False, True, True, True]


@pytest.mark.parametrize("size", [3, 8])
def test_the_size_of_the_table_is_that_of_the_game(size):
    table = lay(member(), "troggu", size=size, computers=size - 2)
    assert join(table, member("Beat")).game.table_size == size


def test_the_host_begins_now_with_computer_players_in_the_empty_seats():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend, 2)
    game = lobby_services_tables.start(table.pk, host, request_id=uuid.uuid4()).game
    assert game is not None
    assert [seat.player.is_computer for seat in game.seats.select_related("player")] == [False, True, False, True]
    assert told(friend) == ["table.started"]


def test_a_host_who_begins_himself_is_told_when_the_table_is_full():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, computers=2, host_starts=True)
    assert join(table, friend).game is None
    assert told(host) == ["table.filled", "table.joined"]
    with refuses("not-host"):
        lobby_services_tables.start(table.pk, friend, request_id=uuid.uuid4())
    assert lobby_services_tables.start(table.pk, host, request_id=uuid.uuid4()).game is not None


def test_a_full_table_whose_host_does_not_come_begins_when_its_time_is_over():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, computers=2, host_starts=True)
    join(table, friend)
    lobby_tasks.do_due(table.expires_at)
    assert state(table) == "started"


def test_a_table_nobody_comes_to_expires_with_a_word_to_those_who_waited():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend)
    assert tasks.do_due(table.expires_at - timedelta(seconds=1)) >= 0
    assert state(table) == "waiting"
    tasks.do_due(table.expires_at)
    assert state(table) == "expired"
    assert told(host)[-1] == told(friend)[-1] == "table.expired"
    with refuses("table-gone"):
        join(table, member("Clau"))
    assert not lobby_tasks.do_due(table.expires_at)


def test_nobody_sits_down_after_the_time_even_if_the_worker_is_late():
    table = lay(member())
    OpenTable.objects.filter(pk=table.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with refuses("table-gone"):
        join(table, member("Beat"))


def test_tables_that_came_to_nothing_are_forgotten_in_the_end():
    over, begun = lay(member()), lay(member(), computers=3)
    lobby_services_tables.close(over.pk, over.host, request_id=uuid.uuid4())
    lobby_tasks.forget(timezone.now() + lobby_tasks.KEPT + timedelta(minutes=1))
    assert list(OpenTable.objects.all()) == [begun]


def test_seats_are_taken_once_and_can_be_changed_while_they_are_free():
    host, friend, third = member("Anna"), member("Beat"), member("Clau")
    table = lay(host)
    join(table, friend, 2)
    with refuses("chair-taken"):
        join(table, third, 2)
    with refuses("no-such-chair"):
        join(table, third, 4)
    join(table, third)
    lobby_services_tables.move(table.pk, friend, seat=3, request_id=uuid.uuid4())
    assert sitting(table) == {0: "Anna", 1: "Clau", 3: "Beat"}
    with refuses("chair-taken"):
        lobby_services_tables.move(table.pk, friend, seat=0, request_id=uuid.uuid4())


def test_who_leaves_is_gone_and_the_host_is_told():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend)
    lobby_services_tables.leave(table.pk, friend, request_id=uuid.uuid4())
    assert sitting(table) == {0: "Anna"}
    assert told(host) == ["table.joined", "table.left"]
    with refuses("not-here", match="You do not sit at this table"):
        lobby_services_tables.leave(table.pk, friend, request_id=uuid.uuid4())


def test_when_the_host_leaves_the_table_passes_on_and_the_last_one_closes_it():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, computers=1)
    join(table, friend)
    lobby_services_tables.leave(table.pk, host, request_id=uuid.uuid4())
    table.refresh_from_db()
    assert table.host == friend
    assert told(friend) == ["table.inherited"]
    lobby_services_tables.leave(table.pk, friend, request_id=uuid.uuid4())
    assert state(table) == "closed"


def test_the_host_sends_people_away_who_come_back_only_if_invited():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend, 1)
    with refuses("not-host"):
        lobby_services_tables.remove(table.pk, friend, seat=0, request_id=uuid.uuid4())
    with refuses("not-here"):
        lobby_services_tables.remove(table.pk, host, seat=0, request_id=uuid.uuid4())
    lobby_services_tables.remove(table.pk, host, seat=1, request_id=uuid.uuid4())
    assert told(friend) == ["table.removed"]
    with refuses("sent-away"):
        join(table, friend)
    lobby_services_tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    join(table, friend)
    assert sitting(table) == {0: "Anna", 1: "Beat"}


def test_computer_players_come_and_go_as_the_host_wishes():
    host = member("Anna")
    table = lay(host)
    lobby_services_tables.add_computer(table.pk, host, seat=3, request_id=uuid.uuid4())
    lobby_services_tables.add_computer(table.pk, host, request_id=uuid.uuid4())
    assert len(set(sitting(table).values())) == 3
    lobby_services_tables.remove(table.pk, host, seat=3, request_id=uuid.uuid4())
    assert sorted(sitting(table)) == [0, 1]
    assert not Invitation.objects.exists()


def test_a_closed_table_tells_those_who_waited():
    host, friend = member("Anna"), member("Beat")
    table = lay(host)
    join(table, friend)
    with refuses("not-host"):
        lobby_services_tables.close(table.pk, friend, request_id=uuid.uuid4())
    lobby_services_tables.close(table.pk, host, request_id=uuid.uuid4())
    assert state(table) == "closed"
    assert told(friend) == ["table.closed"]
    with refuses("table-gone"):
        lobby_services_tables.start(table.pk, host, request_id=uuid.uuid4())


# who may come


@pytest.mark.parametrize(
    ("entry", "comes", "refusal"),
    [
        ("everyone", guest, None),
        ("link", guest, None),
        ("members", member, None),
        ("members", guest, "members-only"),
        ("invited", member, "invited-only"),
    ],
)
def test_who_may_join_is_what_the_host_said(entry, comes, refusal):
    table = lay(member("Anna"), entry=OpenTable.Entry(entry))
    if refusal is None:
        join(table, comes("Beat"))
        assert len(sitting(table)) == 2
        return
    with refuses(refusal):
        join(table, comes("Beat"))
    assert len(sitting(table)) == 1


def test_an_invitation_opens_every_table_to_its_guest():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, entry=OpenTable.Entry.INVITED)
    lobby_services_tables.invite(table.pk, host, friend, request_id=uuid.uuid4(), seat=2)
    assert told(friend) == ["table.invited"]
    join(table, friend)
    assert sitting(table) == {0: "Anna", 2: "Beat"}
    assert Invitation.objects.get().state == "accepted"
    lobby_services_tables.leave(table.pk, friend, request_id=uuid.uuid4())
    join(table, friend)  # asked once is asked


def test_a_seat_that_is_kept_is_free_for_its_guest_alone():
    host, friend, other = member("Anna"), member("Beat"), member("Clau")
    table = lay(host, computers=2, at=[1, 3])
    lobby_services_tables.invite(table.pk, host, friend, request_id=uuid.uuid4(), seat=2)
    with refuses("table-full"):
        join(table, other)
    lobby_services_tables.decline(table.pk, friend, request_id=uuid.uuid4())
    assert told(host) == ["table.declined"]
    assert join(table, other).game is not None


def test_an_invitation_is_answered_once_and_to_the_host_alone_to_give():
    host, friend, other = member("Anna"), member("Beat"), member("Clau")
    table = lay(host)
    with refuses("not-host"):
        lobby_services_tables.invite(table.pk, other, friend, request_id=uuid.uuid4())
    lobby_services_tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    lobby_services_tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    assert told(friend) == ["table.invited"]
    lobby_services_tables.decline(table.pk, friend, request_id=uuid.uuid4())
    with refuses("no-invitation"):
        lobby_services_tables.decline(table.pk, friend, request_id=uuid.uuid4())
    with pytest.raises(CannotInvite):
        lobby_services_tables.invite(table.pk, host, host, request_id=uuid.uuid4())


@pytest.mark.parametrize("direction", ["host blocked them", "they blocked the host"])
def test_people_who_do_not_meet_do_not_meet_at_a_table(direction):
    host, other = member("Anna"), member("Beat")
    table = lay(host)
    account_permissions.block(*((host, other) if direction == "host blocked them" else (other, host)))
    with pytest.raises(MayNotMeet):
        join(table, other)
    with pytest.raises(CannotInvite):
        lobby_services_tables.invite(table.pk, host, other, request_id=uuid.uuid4())
    assert told(other) == []


def test_a_block_holds_against_everybody_at_the_table():
    host, friend, other = member("Anna"), member("Beat"), member("Clau")
    table = lay(host)
    join(table, friend)
    account_permissions.block(friend, other)
    with pytest.raises(MayNotMeet):
        join(table, other)


def test_people_are_asked_for_a_name():
    with refuses("name-needed"):
        lay(guest(""))
    with refuses("name-needed"):
        join(lay(member()), guest(""))


def test_nobody_lays_an_eleventh_table_while_ten_wait():
    host = member()
    tables = [lay(host) for _ in range(lobby_services_tables.MOST_TABLES)]
    with refuses("too-many-tables"):
        lay(host)
    lobby_services_tables.close(tables[0].pk, host, request_id=uuid.uuid4())
    lay(host)


# once


def test_a_repeated_request_does_nothing_twice():
    host, friend = member("Anna"), member("Beat")
    once = uuid.uuid4()
    table = lobby_services_tables.open_table(host, wish(), request_id=once)
    assert lobby_services_tables.open_table(host, wish(), request_id=once) == table
    joined = uuid.uuid4()
    lobby_services_tables.join(table.pk, friend, request_id=joined)
    left = uuid.uuid4()
    lobby_services_tables.leave(table.pk, friend, request_id=left)
    lobby_services_tables.join(table.pk, friend, request_id=joined)  # late: it was answered long ago
    assert sitting(table) == {0: "Anna"}
    lobby_services_tables.leave(table.pk, friend, request_id=left)
    computer = uuid.uuid4()
    for _ in range(2):
        lobby_services_tables.add_computer(table.pk, host, request_id=computer)
    assert len(sitting(table)) == 2
    assert TableEvent.objects.filter(table=table).count() == 4


def test_a_request_id_is_not_for_two_things():
    host = member()
    table, once = lay(host), uuid.uuid4()
    lobby_services_tables.add_computer(table.pk, host, request_id=once)
    with refuses("request-reused"):
        lobby_services_tables.close(table.pk, host, request_id=once)
    with refuses("request-reused"):
        lobby_services_tables.add_computer(lay(host).pk, host, request_id=once)


def test_who_starts_twice_gets_the_same_game():
    host, once = member(), uuid.uuid4()
    table = lay(host, pace=LIVE)
    first = lobby_services_tables.start(table.pk, host, request_id=once).game
    assert lobby_services_tables.start(table.pk, host, request_id=once).game == first
    assert Game.objects.count() == 1
