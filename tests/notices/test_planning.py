"""What a player wants decides how a notice travels, and when."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts.models import Player
from notices import outbox
from notices.models import Delivery, GamePreference, Outbox, Preference
from notices.preferences import COLLECTED, GRACE, HOUR, replan, wishes
from notices.push import subscribe
from notices.registry import Kind, TurnMail, TurnPush, Wish
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db
NOON = datetime.fromisoformat("2026-11-24T12:00+01:00")


def told(
    event: str, player: Player, moment: datetime = NOON, expires_at: datetime | None = None, **params: object
) -> Outbox:
    row = outbox.put(event, player, {"game": "bcdf", **params}, due_at=moment, expires_at=expires_at)
    outbox.tell_due(moment)
    row.refresh_from_db()
    return row


def ways(row: Outbox) -> dict[str, datetime]:
    return {delivery.channel: delivery.due_at for delivery in row.deliveries.filter(state="waiting")}


def want(player: Player, **choices: object) -> None:
    Preference.objects.update_or_create(player=player, defaults=choices)


def test_who_never_chose_gets_turns_within_the_hour_and_reminders_at_once(village):
    player = member()
    turn = told("game.turn", player)
    assert ways(turn) == {"digest": NOON + COLLECTED}
    assert turn.shown
    assert ways(told("game.deadline", player)) == {"mail": NOON}


def test_letters_within_the_hour_tell_several_things_and_have_an_hour_between_them(village):
    player = member()
    first = told("game.turn", player)
    second = told("game.turn", player, NOON + COLLECTED / 2, game="ghjk")
    assert ways(first) == ways(second) == {"digest": NOON + COLLECTED}
    Delivery.objects.update(state=Delivery.State.SENT)
    third = told("game.turn", player, NOON + 2 * COLLECTED, game="mnpq")
    assert ways(third) == {"digest": NOON + COLLECTED + HOUR}


def test_what_happens_at_night_is_told_in_one_letter_in_the_morning(village):
    player = member()
    rows = [told("game.turn", player, NOON + timedelta(hours=late), game=f"g{late}") for late in (11, 14, 16)]
    assert {at for row in rows for at in ways(row).values()} == {datetime.fromisoformat("2026-11-25T07:00+01:00")}


@pytest.mark.parametrize(
    ("before", "after", "ways_now"),
    [
        (TurnMail.DIGEST, TurnMail.EACH, {"mail": NOON + GRACE}),
        (TurnMail.EACH, TurnMail.HOUR, {"digest": NOON + COLLECTED}),
        (TurnMail.NOTHING, TurnMail.EACH, {"mail": NOON + GRACE}),
        (TurnMail.HOUR, TurnMail.DIGEST, {"digest": datetime.fromisoformat("2026-11-25T07:00+01:00")}),
    ],
)
def test_another_wish_drops_nothing_that_waits(village, before, after, ways_now):
    player = member()
    want(player, turn_mail=before)
    row = told("game.turn", player)
    want(player, turn_mail=after)
    replan(Player.objects.get(pk=player.pk), NOON)
    assert ways(row) == ways_now


def test_what_would_be_over_before_the_digest_is_told_at_once(village):
    player = member()
    want(player, turn_mail=TurnMail.DIGEST, other_mail=Wish.DIGEST)
    midnight = NOON + timedelta(hours=12)
    assert ways(told("game.asked", player, expires_at=midnight)) == {"digest": NOON}
    assert ways(told("game.asked", player, expires_at=NOON + timedelta(days=2))) != {"digest": NOON}


def test_a_turn_that_runs_out_before_the_digest_is_left_to_the_reminders(village):
    player = member()
    want(player, turn_mail=TurnMail.DIGEST)
    assert ways(told("game.turn", player, expires_at=NOON + timedelta(hours=1))) != {"digest": NOON}


def test_who_wants_no_mail_gets_none_about_what_is_soon_over_either(village):
    player = member()
    want(player, turn_mail=TurnMail.NOTHING)
    assert not ways(told("game.asked", player, expires_at=NOON + timedelta(hours=1)))


def test_another_time_zone_moves_the_letters_that_wait(village):
    player = member()
    want(player, turn_mail=TurnMail.DIGEST)
    row = told("game.turn", player, timezone.now())
    player.time_zone = "America/New_York"
    player.save(update_fields=["time_zone"])
    (at,) = ways(row).values()
    assert at.astimezone(ZoneInfo("America/New_York")).hour == 7


def test_of_a_pause_and_its_end_only_the_latest_is_told(village):
    player = member()
    want(player, game_mail=Wish.DIGEST)
    paused = told("game.paused", player)
    resumed = told("game.resumed", player)
    assert not ways(paused)
    assert ways(resumed)


def test_mail_about_a_turn_waits_for_who_is_playing_anyway(village):
    player = member()
    want(player, turn_mail=TurnMail.EACH)
    assert ways(told("game.turn", player)) == {"mail": NOON + GRACE}


@pytest.mark.parametrize(
    ("mode", "turn", "deadline"),
    [
        (TurnMail.EACH, Wish.NOW, Wish.NOW),
        (TurnMail.HOUR, Wish.HOUR, Wish.NOW),
        (TurnMail.DIGEST, Wish.DIGEST, Wish.NOW),
        (TurnMail.DEADLINE, Wish.NEVER, Wish.NOW),
        (TurnMail.NOTHING, Wish.NEVER, Wish.NEVER),
    ],
)
def test_each_mode_of_mail_leaves_out_a_little_more(mode, turn, deadline):
    general, game = Preference(turn_mail=mode), GamePreference()
    assert wishes(Kind.TURN, general, game).mail is turn
    assert wishes(Kind.DEADLINE, general, game).mail is deadline


def test_what_is_chosen_for_a_game_goes_before_what_is_chosen_in_general():
    general = Preference(turn_mail=TurnMail.NOTHING, turn_push=TurnPush.NOTHING)
    assert wishes(Kind.TURN, general, GamePreference(mail=TurnMail.EACH)).mail is Wish.NOW
    assert wishes(Kind.TURN, general, GamePreference(push=TurnPush.EACH)).push is Wish.NOW
    assert wishes(Kind.TURN, general, GamePreference(mail=TurnMail.EACH)).push is Wish.NEVER


def test_not_at_all_for_a_game_silences_its_end_too():
    general = Preference(game_mail=Wish.NOW)
    assert wishes(Kind.GAME, general, GamePreference(mail=TurnMail.NOTHING)).mail is Wish.NEVER
    assert wishes(Kind.GAME, general, GamePreference(mail=TurnMail.DEADLINE)).mail is Wish.NOW


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.DEADLINE, Kind.GAME, Kind.TABLE, Kind.OTHER, Kind.TEST])
def test_no_mail_at_all_means_none(kind):
    general = Preference(turn_mail=TurnMail.EACH, mail_off=True, table_mail=Wish.NOW)
    assert wishes(kind, general, GamePreference(mail=TurnMail.EACH)).mail is Wish.NEVER


def test_a_guest_has_no_address_but_may_have_devices(village, push_service):
    guest = Player.objects.create()
    browser = push_service.browser()
    subscribe(guest, browser.endpoint, browser.p256dh, browser.auth, language="en", device="")
    assert set(ways(told("game.turn", guest))) == {"push"}


def test_a_computer_player_is_told_nothing(village):
    assert not ways(told("game.turn", Player.objects.create(computer="level-1")))


def test_a_merged_guest_is_told_as_the_member(village):
    player = member()
    row = told("game.turn", Player.objects.create(merged_into=player))
    assert row.player == player
    assert row.deliveries.get().player == player


def test_a_new_turn_takes_the_place_of_the_one_before(village):
    player = member()
    want(player, turn_mail=TurnMail.EACH)
    first = told("game.turn", player)
    other = told("game.turn", player, game="ghjk")
    second = told("game.turn", player)
    first.refresh_from_db()
    assert not ways(first)
    assert first.deliveries.get().reason == "superseded"
    assert first.read_at is not None
    assert set(ways(second)) == set(ways(other)) == {"mail"}


def test_the_end_of_a_game_takes_back_what_asked_to_play(village):
    player = member()
    turn = told("game.turn", player)
    told("game.finished", player)
    assert not ways(turn)


def test_who_has_acted_needs_not_be_told_any_more(village):
    player = member()
    told("game.turn", player)
    assert outbox.settle(player, "bcdf") == 1
    assert outbox.settle(player, "bcdf") == 0


@pytest.mark.parametrize("came", [True, False])
def test_a_turn_that_was_played_before_anybody_looked_is_never_taken_up(village, came):
    player, other = member(), member("other@example.org")
    turn = outbox.put("game.turn", player, {"game": "bcdf"}, due_at=NOON)
    kept = [outbox.put("game.turn", other, {"game": "bcdf"}, due_at=NOON)]
    kept.append(outbox.put("game.turn", player, {"game": "ghjk"}, due_at=NOON))
    kept.append(outbox.put("game.paused", player, {"game": "bcdf"}, due_at=NOON))
    assert outbox.settle(player, "bcdf", came=came) == 1
    assert outbox.tell_due(NOON) == len(kept)
    turn.refresh_from_db()
    assert turn.done_at
    assert turn.read_at
    assert not turn.shown
    assert not ways(turn)
    assert all(ways(row) for row in kept[:2])


def test_nothing_is_made_of_what_is_no_longer_true(village):
    village.over.add("bcdf")
    row = told("game.turn", member())
    assert not row.shown
    assert not ways(row)
    assert row.done_at is not None


def test_nothing_is_made_of_what_comes_too_late(village):
    player = member()
    row = outbox.put("game.deadline", player, {"game": "bcdf"}, due_at=NOON, expires_at=NOON)
    outbox.tell_due(NOON)
    assert not ways(row)


def test_taking_up_twice_makes_no_second_delivery(village):
    player = member()
    row = told("game.turn", player)
    Outbox.objects.filter(pk=row.pk).update(done_at=None, lease_until=None)
    outbox.tell_due(NOON)
    assert Delivery.objects.count() == 1


def test_the_page_of_a_notice_stays_until_it_is_old(village):
    row = told("game.turn", member(), timezone.now())
    row.deliveries.update(state=Delivery.State.SENT)
    told("game.turn", member("Beat"), timezone.now())  # its letter is still on its way
    assert outbox.prune(timedelta(days=1), timezone.now() + timedelta(days=2)) == 1
    assert not Outbox.objects.filter(pk=row.pk).exists()
