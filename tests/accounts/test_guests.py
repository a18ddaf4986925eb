"""Guests who stay away."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models.deletion import ProtectedError
from django.db.models.signals import pre_delete
from django.utils import timezone

from accounts import registry, services, sessions
from accounts.models import GuestToken, Player
from tests.accounts.conftest import Chairs, MakeUser

pytestmark = [pytest.mark.django_db, pytest.mark.services]
NOW = timezone.now()
MONTH = timedelta(days=30)


def seen(days_ago: float, **fields: object) -> Player:
    return Player.objects.create(last_seen_at=NOW - timedelta(days=days_ago), **fields)


def test_only_guests_idle_for_longer_are_let_go(make_user: MakeUser, chairs: Chairs) -> None:
    idle, lately, computer = seen(31), seen(29), seen(400, computer="level-1")
    member = make_user().player
    Player.objects.filter(pk=member.pk).update(last_seen_at=NOW - timedelta(days=400))
    merged = seen(400, merged_into=member)
    sessions.issue_guest_token(idle)
    assert services.expire_guests(MONTH, NOW) == 1
    assert set(Player.objects.all()) == {lately, computer, member, merged}
    assert not GuestToken.objects.exists()


def test_an_idle_guest_gives_up_open_games_and_is_forgotten(chairs: Chairs) -> None:
    idle = seen(31)
    chairs.seats = {1: [idle.pk, 99]}
    services.expire_guests(MONTH, NOW)
    assert chairs.seats == {1: [99]}
    assert not Player.objects.filter(pk=idle.pk).exists()


def test_a_guest_in_a_finished_game_stays_as_a_former_guest_without_token(chairs: Chairs) -> None:
    idle = seen(31, number=4821)
    raw = sessions.issue_guest_token(idle)
    chairs.seats, chairs.finished = {1: [idle.pk, 99], 2: [idle.pk]}, {1}
    assert services.expire_guests(MONTH, NOW) == 1
    assert chairs.seats == {1: [idle.pk, 99], 2: []}
    idle.refresh_from_db()
    assert idle.display_name == "Former guest 4821"
    assert sessions.find_guest_token(raw) is None
    assert services.expire_guests(MONTH, NOW) == 0


def test_every_room_is_asked_to_release_even_if_one_says_the_row_stays(chairs: Chairs) -> None:
    asked: list[str] = []

    class Room:
        def __init__(self, name: str, stays: bool) -> None:
            self.name, self.stays = name, stays

        def merge(self, guest: Player, member: Player) -> None: ...

        def release(self, player: Player) -> bool:
            asked.append(self.name)
            return self.stays

        def export(self, player: Player) -> dict[str, object]:
            return {}

    registry.belongings.register(Room("first", stays=True))
    registry.belongings.register(Room("second", stays=False))
    idle = seen(31)
    services.expire_guests(MONTH, NOW)
    assert asked == ["first", "second"]
    assert Player.objects.filter(pk=idle.pk, retired_at=NOW).exists()


def test_a_guest_whom_a_foreign_row_protects_stays_and_the_sweep_goes_on(chairs: Chairs) -> None:
    protected, other = seen(32), seen(31)

    def keep(instance: Player, **_arguments: object) -> None:
        # What a PROTECT key of a room that registered nothing does.
        if instance.pk == protected.pk:
            raise ProtectedError("a note names this player", {instance})

    pre_delete.connect(keep, sender=Player)
    try:
        assert services.expire_guests(MONTH, NOW) == 2
    finally:
        pre_delete.disconnect(keep, sender=Player)
    assert Player.objects.get().retired_at == NOW
    assert not Player.objects.filter(pk=other.pk).exists()


def test_registering_twice_counts_once(chairs: Chairs) -> None:
    registry.belongings.register(chairs)
    assert tuple(registry.belongings) == (chairs,)


def test_a_guest_who_just_became_a_member_is_not_let_go(make_user: MakeUser) -> None:
    idle = seen(31)
    stale = Player.objects.get(pk=idle.pk)
    Player.objects.filter(pk=idle.pk).update(user=make_user(player=False))
    assert not services.retire(stale, NOW)
    assert Player.objects.get().is_member


def test_the_command_says_how_many_went(capsys: pytest.CaptureFixture[str], chairs: Chairs) -> None:
    seen(31)
    seen(3)
    call_command("expire_guests")
    assert capsys.readouterr().out == "1 guests let go.\n"
    call_command("expire_guests", "--days", "2")
    assert capsys.readouterr().out == "1 guests let go.\n"
    with pytest.raises(CommandError):
        call_command("expire_guests", "--days", "0")
    with pytest.raises(CommandError, match="--days"):
        call_command("expire_guests", "--days", "1000000")
