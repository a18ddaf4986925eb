"""Standing wishes: they seat people by themselves, keep to what was asked, and are used up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import permissions
from accounts.models import Player
from games.meeting import selectors
from games.meeting.models import Appointment, Reply, StandingWish
from games.meeting.services import wishes
from games.meeting.services.wishes import WishTerms
from games.models import Game
from notices import outbox
from notices.models import Outbox
from tests.games.lobby_kit import guest, join, lay, member
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
TROCCAS = WishTerms(["troccas"], ["day"])
NAMES = ("Anna", "Beat", "Carla", "Dario", "Eva", "Flurin")


def people(count: int = 4) -> list[Player]:
    return [member(name) for name in NAMES[:count]]


def games() -> list[Game]:
    return list(Game.objects.all())


def sitting(game: Game) -> set[str]:
    return {seat.player.name for seat in game.seats.all()}


def test_four_who_want_the_same_are_seated_by_themselves_and_told():
    *three, last = people()
    for player in three:
        assert wishes.make(player, TROCCAS).state == StandingWish.State.OPEN
    assert games() == []
    made = wishes.make(last, TROCCAS)
    assert games() == [made.game]
    assert sitting(made.game) == {"Anna", "Beat", "Carla", "Dario"}
    assert made.game.pace["kind"] == "days"
    assert made.game.options["hands"] == 2
    assert set(StandingWish.objects.values_list("state", flat=True)) == {"seated"}
    told = Outbox.objects.filter(event="table.started")
    assert {row.player for row in told} == {*three, last}


def test_a_wish_is_used_up_by_one_table():
    for player in people(4):
        wishes.make(player, WishTerms(["troccas", "troccas-3"], ["day", "slow"]))
    assert len(games()) == 1
    assert games()[0].table_size == 3
    assert StandingWish.objects.filter(state="open").count() == 1


def test_who_sits_down_at_a_table_they_wished_for_is_not_seated_at_another_by_that_wish():
    anna, beat, carla, dario = people()
    for player in (anna, beat):
        wishes.make(player, TROCCAS)
    other = wishes.make(anna, WishTerms(["troggu"], ["day"], sizes=[4]))
    table = lay(anna)
    for player in (beat, carla, dario):
        join(table, player)
    table.refresh_from_db()
    kept = StandingWish.objects.filter(state="open")
    assert list(kept) == [other], "what was not fulfilled stays"
    assert set(StandingWish.objects.exclude(pk=other.pk).values_list("state", "game")) == {("seated", table.game.pk)}


def test_a_game_with_computer_players_is_not_what_was_wished():
    anna = member("Anna")
    wishes.make(anna, TROCCAS)
    lay(anna, computers=3)
    assert StandingWish.objects.get().state == "open"


def test_who_blocked_each_other_are_never_seated_together():
    anna, beat, carla, dario, eva = people(5)
    permissions.block(beat, dario)
    for player in (anna, beat, carla, dario):
        wishes.make(player, TROCCAS)
    assert games() == []
    wishes.make(eva, TROCCAS)
    assert len(games()) == 1
    assert sitting(games()[0]) == {"Anna", "Beat", "Carla", "Eva"}  # Beat has waited longer
    assert StandingWish.objects.get(state="open").player == dario


def test_different_paces_games_sizes_and_languages_do_not_fit():
    anna, beat, carla, dario = people()
    wishes.make(anna, WishTerms(["troggu"], ["day"], sizes=[4], languages=["de"]))
    wishes.make(beat, WishTerms(["troggu"], ["day"], sizes=[4, 5]))
    wishes.make(carla, WishTerms(["troggu"], ["day", "slow"], sizes=[4]))
    wishes.make(dario, WishTerms(["troggu"], ["day"], sizes=[4], languages=["rm-sursilv"]))
    assert games() == []
    made = wishes.make(member("Gion"), WishTerms(["troggu"], ["day"], sizes=[4], languages=["de", "rm-sursilv"]))
    assert made.game is not None
    assert made.game.laid_as.language == "de"
    assert sitting(made.game) == {"Anna", "Beat", "Carla", "Gion"}


def test_who_is_suspended_or_gone_is_not_seated():
    anna, beat, carla, dario = people()
    for player in (anna, beat, carla):
        wishes.make(player, TROCCAS)
    moderator = member("Moderator")
    permissions.suspend(beat, timedelta(days=7), "reason", by=moderator)
    wishes.make(dario, TROCCAS)
    assert games() == []
    permissions.lift(beat, by=moderator)
    wishes.match_again(timezone.now())
    assert len(games()) == 1


def test_nobody_without_an_account_a_name_or_the_right_to_play_wishes():
    with refuses("account-needed"):
        wishes.make(guest(), TROCCAS)
    with refuses("name-needed"):
        wishes.make(member(""), TROCCAS)
    anna = member()
    permissions.suspend(anna, timedelta(days=1), "reason", by=member("Mod"))
    with pytest.raises(permissions.Suspended):
        wishes.make(anna, TROCCAS)
    assert not StandingWish.objects.exists()


def test_five_wishes_are_enough_and_the_same_one_twice_is_one():
    anna = member()
    assert wishes.make(anna, TROCCAS) == wishes.make(anna, TROCCAS)
    for size in (3, 5, 6, 7):
        wishes.make(anna, WishTerms(["troggu"], ["day"], sizes=[size]))
    with refuses("too-many-wishes"):
        wishes.make(anna, WishTerms(["troggu"], ["slow"], sizes=[4]))
    assert StandingWish.objects.count() == 5


def test_one_that_is_over_but_not_yet_ended_is_not_taken_for_the_new_one():
    anna = member()
    over = wishes.make(anna, TROCCAS)
    StandingWish.objects.update(expires_at=timezone.now() - timedelta(seconds=30))
    for size in (3, 5, 6, 7):
        wishes.make(anna, WishTerms(["troggu"], ["day"], sizes=[size]))
    new = wishes.make(anna, TROCCAS)
    assert new != over
    assert new.expires_at > timezone.now()


def test_the_front_page_does_not_count_whom_one_may_not_meet():
    anna, beat, carla = people(3)
    for player in (beat, carla):
        wishes.make(player, TROCCAS)
    assert selectors.glance(anna).waiting == 2
    permissions.block(carla, anna)
    assert selectors.glance(anna).waiting == 1


def test_it_ends_after_thirty_days_is_told_before_and_can_be_kept():
    anna = member()
    wish = wishes.make(anna, TROCCAS)
    assert wish.expires_at - wish.created_at >= timedelta(days=29)
    notice = Outbox.objects.get(event="meeting.ending")
    assert notice.due_at == wish.expires_at - timedelta(days=3)
    outbox.tell_due(notice.due_at)
    notice.refresh_from_db()
    assert notice.shown
    kept = wishes.keep(anna, wish.public_id)
    assert kept.expires_at > wish.expires_at
    wishes.do_due(kept.expires_at + timedelta(seconds=1))
    assert StandingWish.objects.get().state == StandingWish.State.EXPIRED
    with refuses("wish-over"):
        wishes.keep(anna, wish.public_id)


def test_only_ones_own_open_wish_is_withdrawn_and_then_it_seats_nobody():
    anna, beat, carla, dario = people()
    made = [wishes.make(player, TROCCAS) for player in (anna, beat, carla)]
    with refuses("wish-over"):
        wishes.withdraw(dario, made[0].public_id)
    wishes.withdraw(anna, made[0].public_id)
    wishes.make(dario, TROCCAS)
    assert games() == []


def test_the_page_says_what_is_missing_and_names_nobody():
    anna, beat, carla, dario = people()
    for player in (anna, beat):
        wishes.make(player, TROCCAS)
    wishes.make(carla, WishTerms(["troccas-3"], ["slow"]))
    seen = selectors.wishes_of(anna)[0]
    assert seen.missing == ("Troccas, 4 players: 2 more people are needed.",)
    counts = {(crowd.game, crowd.count) for crowd in selectors.crowds(dario)}
    assert counts == {("Troccas, 4 players", 2), ("Troccas for three, 3 players", 1)}
    permissions.block(beat, anna)
    assert selectors.wishes_of(anna)[0].missing == ("Troccas, 4 players: 3 more people are needed.",)


def test_live_wishes_are_asked_to_an_appointment_on_an_evening_that_all_ticked(client):
    four = people()
    for place, player in enumerate(four):
        days = [(timezone.localtime() + timedelta(days=ahead)).weekday() for ahead in (3, 4 + place % 2)]
        made = wishes.make(player, WishTerms(["troccas"], ["live"], weekdays=days, hour=20))
    assert games() == []
    appointment = Appointment.objects.get()
    assert made.appointment == appointment
    assert appointment.proposer is None
    local = timezone.localtime(appointment.starts_at)
    assert (local.hour, local.minute) == (20, 0)
    assert local.date() == timezone.localdate() + timedelta(days=3)
    assert set(Reply.objects.values_list("answer", flat=True)) == {"asked"}
    assert Outbox.objects.filter(event="meeting.proposed").count() == 4
    client.force_login(four[0].user)
    page = client.get(reverse("meeting:appointment", args=[appointment.public_id])).text
    assert "Beat" not in page


def test_somebody_with_two_wishes_sits_once_at_a_table():
    anna, beat, carla = people(3)
    wishes.make(anna, TROCCAS)
    wishes.make(anna, WishTerms(["troccas", "troccas-3"], ["day"]))
    wishes.make(beat, TROCCAS)
    wishes.make(carla, TROCCAS)
    assert games() == []


def test_a_look_with_nothing_to_do_takes_three_queries(django_assert_max_num_queries):
    wishes.make(member(), TROCCAS)
    with django_assert_max_num_queries(3):
        assert wishes.do_due(timezone.now()) == 0
