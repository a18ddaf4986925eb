"""What is kept about a person: the reminder, their history, the export, and what goes with an account."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts import privacy as accounts_privacy
from accounts import registry
from games.charts import Mean
from games.daily import notifications, privacy, selectors, services
from games.daily.forms import WishesForm
from games.daily.models import DailyDay, DailyEntry, DailyWishes
from notices import outbox
from notices import registry as notices_registry
from notices.models import Delivery, Outbox
from tests.games.daily import kit
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def wishing(player, hour: int, now: datetime) -> DailyWishes:
    form = WishesForm({"remind_hour": str(hour)}, player)
    assert form.is_valid()
    form.write(now)
    return DailyWishes.objects.get(player=player)


def test_the_reminder_comes_once_a_day_at_the_hour_where_one_lives():
    anna = kit.member("Anna", time_zone="America/New_York")
    row = wishing(anna, 8, NOON)  # seven in the morning there
    assert row.remind_at == datetime(2026, 11, 25, 13, tzinfo=UTC)
    assert notifications.do_due(row.remind_at - timedelta(seconds=1)) == 0
    assert notifications.do_due(row.remind_at) == 1
    assert notifications.do_due(row.remind_at) == 0
    notice = Outbox.objects.get(event="daily.reminder")
    assert (notice.player, notice.params, notice.topic) == (anna, {"day": "2026-11-25"}, "daily")
    assert notice.expires_at == services.ends(NOON.date())
    row.refresh_from_db()
    assert row.remind_at == datetime(2026, 11, 26, 13, tzinfo=UTC)


def test_a_worker_that_was_away_reminds_once_and_not_for_each_day():
    row = wishing(kit.member("Anna"), 8, NOON)
    assert notifications.do_due(NOON + timedelta(days=5)) == 1
    assert notifications.do_due(NOON + timedelta(days=5)) == 0
    row.refresh_from_db()
    assert row.remind_at is not None
    assert row.remind_at > NOON + timedelta(days=5)


def test_the_hour_is_kept_when_clocks_change():
    row = wishing(kit.member("Anna", time_zone="Europe/Zurich"), 8, datetime(2026, 10, 24, 12, tzinfo=UTC))
    assert row.remind_at == datetime(2026, 10, 25, 7, tzinfo=UTC)  # winter: one hour before UTC, not two


def test_who_has_begun_is_not_reminded():
    now = timezone.now()
    anna = kit.member("Anna")
    kit.begun(anna, now)
    wishing(anna, 8, now - timedelta(days=2))
    assert notifications.do_due(now) == 1
    assert not Outbox.objects.filter(event="daily.reminder").exists()


def test_the_reminder_leaves_by_mail_at_its_hour_for_who_never_chose():
    row = wishing(kit.member("Anna"), 18, NOON)
    assert row.remind_at is not None
    notifications.do_due(row.remind_at)
    outbox.tell_due(row.remind_at)
    letter = Delivery.objects.get(outbox__event="daily.reminder")
    assert (letter.channel, letter.due_at) == (Delivery.Channel.DIGEST, row.remind_at)


def test_the_notice_is_told_in_words_and_can_be_stopped_by_one_click():
    now = timezone.now()
    anna = kit.member("Anna")
    wishing(anna, 8, now - timedelta(days=2))
    notifications.do_due(now)
    notice = Outbox.objects.get(event="daily.reminder")
    told = notices_registry.find_wording("daily.reminder")
    assert told is not None
    assert told.still_true(notice.event, notice.params, anna)
    said = told.words(notice.event, notice.params, anna, "en")
    assert said is not None
    assert said.subject.startswith("Today’s deal: ")
    assert said.url == "/en/daily/"
    found = notices_registry.find_subject(anna, "daily")
    assert found is not None
    assert found.name == "The daily deal"
    outbox.tell_due(now)
    assert Delivery.objects.filter(outbox=notice).exists()
    from notices import mail

    mail.stop_game(anna, "daily")
    second = kit.member("Second")
    wishing(second, 8, now - timedelta(days=2))
    DailyWishes.objects.filter(player=anna).update(remind_at=now)
    notifications.do_due(now)
    outbox.tell_due(now)
    mails = Delivery.objects.exclude(channel=Delivery.Channel.PUSH).exclude(outbox=notice)
    assert {delivery.player_id for delivery in mails} == {second.pk}


def test_a_reminder_that_is_late_is_not_told():
    told = notices_registry.find_wording("daily.reminder")
    assert told is not None
    now, anna = timezone.now(), kit.member("Anna")
    params = {"day": services.day_at(now).isoformat()}
    assert not told.still_true("daily.reminder", params, anna)  # switched off meanwhile
    wishing(anna, 8, now)
    assert told.still_true("daily.reminder", params, anna)
    kit.begun(anna, now)
    assert not told.still_true("daily.reminder", params, anna)
    assert told.words("daily.reminder", {"day": "nonsense"}, anna, "en") is None


def laid_days(player, results: list[tuple[int, int]], now: datetime) -> None:
    """Open days before `now`, the last result yesterday's: the player's points and the average of all."""
    for back, (points, datum) in enumerate(reversed(results), start=1):
        entry = kit.played(player, now - timedelta(days=back), points)
        DailyEntry.objects.filter(pk=entry.pk).update(points=points)
        DailyDay.objects.filter(pk=entry.day_id).update(datum=datum, players=1, opened_at=now)


def test_the_history_counts_days_and_gains_by_game():
    now, anna = NOON, person()
    results = [(5, 2), (-3, 1), (10, 10), (0, -4), (7, 7), (2, 9), (12, 3)]
    laid_days(anna, results, now)
    found = selectors.history(anna, now)
    assert (found.days, found.running) == (7, 7)
    wanted: dict[tuple[str, int], list[int]] = {}
    for back, (points, datum) in enumerate(reversed(results), start=1):
        choice = services.choice_on(services.day_at(now - timedelta(days=back)))
        wanted.setdefault((choice.ruleset, choice.size), []).append(points - datum)
    assert found.gains == {
        game: Mean(len(gains), sum(gains), sum(gain * gain for gain in gains)) for game, gains in wanted.items()
    }
    assert selectors.history(anna, now + timedelta(days=1)).running == 0  # a day was left out: nothing is said of it
    kit.begun(anna, now)
    assert selectors.history(anna, now).running == 8


def test_the_gain_is_said_in_plain_words():
    from games.daily.text import average_gain

    assert "Too few days" in average_gain(Mean(9, 90, 900))
    assert "Luck alone could do that." in average_gain(Mean(20, 10, 4000))
    assert "more than luck" in average_gain(Mean(100, 500, 2600))
    assert "less than bad luck" in average_gain(Mean(100, -500, 2600))


def test_the_export_has_wishes_and_days_but_nothing_before_its_time():
    now, anna = timezone.now(), kit.member("Anna")
    wishing(anna, 8, now)
    kit.played(anna, now, 31)
    assert privacy in registry.belongings
    assert "daily_deals" in str(accounts_privacy.export_of(anna))
    own = privacy.export(anna)
    assert own["daily_wishes"] == {"shows_name": False, "shows_play": False, "remind_hour": 8}
    deals = own["daily_deals"]
    assert isinstance(deals, list)
    [deal] = deals
    assert (deal["points"], deal["average"], deal["day"]) == (None, None, services.day_at(now).isoformat())
    assert privacy.export(person()) == {"daily_wishes": {}, "daily_deals": []}


def test_a_deleted_account_leaves_its_result_and_nothing_else():
    then = timezone.now() - timedelta(days=2)
    anna = kit.member("Zzanna")
    kit.played(anna, then, 3)
    DailyWishes.objects.create(player=anna, shows_name=True, shows_play=True)
    day = kit.opened(DailyDay.objects.get())
    assert "Zzanna" in kit.text_of(kit.browser(None), f"/en/daily/{day.date}/")
    accounts_privacy.erase(anna.user)
    assert not DailyWishes.objects.exists()
    assert day.entries.get().points == 3
    assert "Zzanna" not in kit.text_of(kit.browser(None), f"/en/daily/{day.date}/")
