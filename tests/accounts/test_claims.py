"""A guest becomes a member."""

import pytest
from django.utils import timezone

from accounts import services, sessions
from accounts.models import HandOrder, Player
from tests.accounts.conftest import Chairs, MakeUser

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def someone() -> Player:
    return Player.objects.create()


def test_claiming_moves_belongings_ends_tokens_and_leaves_a_pointer(
    make_user: MakeUser, someone: Player, chairs: Chairs
) -> None:
    member = make_user().player
    raw = sessions.issue_guest_token(someone)
    chairs.seats = {1: [someone.pk, 99], 2: [98, someone.pk]}
    assert services.claim(someone, member) == member
    assert chairs.seats == {1: [member.pk, 99], 2: [98, member.pk]}
    assert sessions.find_guest_token(raw) is None
    someone.refresh_from_db()
    assert someone.merged_into == member
    assert someone.current == member


def test_claiming_twice_changes_nothing(make_user: MakeUser, someone: Player, chairs: Chairs) -> None:
    member = make_user().player
    services.claim(someone, member)
    chairs.seats = {1: [someone.pk]}
    services.claim(someone, member)
    assert chairs.seats == {1: [someone.pk]}


def test_where_both_sit_at_one_table_the_seats_stay_as_they_are(
    make_user: MakeUser, someone: Player, chairs: Chairs
) -> None:
    member = make_user().player
    chairs.seats = {1: [someone.pk, member.pk]}
    services.claim(someone, member)
    assert chairs.seats == {1: [someone.pk, member.pk]}
    assert Player.objects.get(pk=chairs.seats[1][0]).current == member


def test_a_member_takes_only_what_it_never_set(make_user: MakeUser, someone: Player) -> None:
    member = make_user().player
    member.hand_order = HandOrder.LOW_FIRST
    member.save()
    someone.bot_speed, someone.one_tap, someone.guided_done_at = "quick", True, timezone.now()
    someone.save()
    services.claim(someone, member)
    member.refresh_from_db()
    assert (member.bot_speed, member.one_tap, member.hand_order) == ("quick", True, HandOrder.LOW_FIRST)
    assert member.guided_done_at == someone.guided_done_at


def test_a_guest_with_defaults_changes_no_preference(make_user: MakeUser, someone: Player) -> None:
    member = make_user().player
    Player.objects.filter(pk=member.pk).update(bot_speed="at-once", one_tap=True)
    services.claim(someone, member)
    member.refresh_from_db()
    assert (member.bot_speed, member.one_tap) == ("at-once", True)


def test_a_failing_belonging_leaves_everything_as_it_was(
    make_user: MakeUser, someone: Player, chairs: Chairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = make_user().player
    raw = sessions.issue_guest_token(someone)

    def fail(_guest: Player, _member: Player) -> None:
        raise RuntimeError("the room above broke")

    monkeypatch.setattr(chairs, "merge", fail)
    with pytest.raises(RuntimeError):
        services.claim(someone, member)
    someone.refresh_from_db()
    assert someone.merged_into is None
    assert sessions.find_guest_token(raw) is not None


def test_only_a_free_guest_can_be_claimed_and_only_by_a_member(make_user: MakeUser, someone: Player) -> None:
    first, second = make_user().player, make_user("gion@example.org").player
    other = Player.objects.create()
    computer = Player.objects.create(computer="level-1")
    services.claim(someone, first)
    for guest, member in [(someone, second), (first, second), (computer, first), (other, someone), (first, first)]:
        with pytest.raises(services.NotClaimable):
            services.claim(guest, member)


def test_a_new_user_becomes_the_guest_and_keeps_the_row(make_user: MakeUser, someone: Player) -> None:
    user = make_user(player=False)
    raw = sessions.issue_guest_token(someone)
    assert services.welcome(user, someone) == someone
    assert Player.objects.get().user == user
    assert sessions.find_guest_token(raw) is None


def test_a_new_user_without_a_guest_gets_a_player(make_user: MakeUser) -> None:
    user = make_user(player=False)
    assert services.welcome(user, None) == services.welcome(user, None)
    assert Player.objects.get().user == user


def test_a_guest_lost_in_the_meantime_keeps_nobody_out(make_user: MakeUser, someone: Player) -> None:
    first, second = make_user(), make_user("gion@example.org")
    services.welcome(first, someone)
    assert services.welcome(second, someone) == second.player
    third = make_user("mengia@example.org", player=False)
    gone = Player.objects.create()
    Player.objects.filter(pk=gone.pk).delete()
    assert services.welcome(third, gone).user == third
