"""The pages about notices, and what their scripts ask for."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from accounts.middleware import Visit
from accounts.models import Player
from core.registry import Registry
from notices import mail, outbox, preferences, privacy, registry, selectors
from notices.forms import PreferenceForm
from notices.models import Delivery, GamePreference, Outbox, Preference, PushSubscription
from notices.registry import Kind, Subject, TurnMail, Wish
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db
PREFERENCES = "/en/notices/preferences/"
AS_THEY_COME = {
    "turn_mail": "hour", "turn_push": "each", "game_mail": "hour", "game_push": "on", "table_mail": "hour",
    "table_push": "on", "meeting_mail": "hour", "meeting_push": "on", "talk_mail": "digest", "message_mail": "hour",
    "message_push": "on", "club_mail": "never", "other_mail": "digest", "digest_hour": "7", "quiet_from": "22", "quiet_to": "7",
}  # fmt: skip


@pytest.fixture
def reader(client):
    player = member()
    client.force_login(player.user)
    return player


@pytest.fixture
def game(monkeypatch):
    """A game that everybody sits in."""

    def find(player, topic):
        return Subject("Troccas with Beat", f"/g/{topic}/") if topic == "bcdf" else None

    monkeypatch.setattr(registry, "subject_finders", Registry([find]))


def happen(player: Player, event: str = "game.turn", game: str = "bcdf") -> Outbox:
    row = outbox.put(event, player, {"game": game})
    outbox.tell_due()
    return row


# the list


def test_the_list_has_the_newest_first_and_says_what_is_new(client, village, reader):
    happen(reader, "game.finished", "first")
    happen(reader, "game.turn", "second")
    page = client.get("/en/notices/")
    assert [line.words.subject for line in page.context["lines"]] == ["Your turn second", "Your turn first"]
    assert page.context["unread"] == 2
    assert "no-store" in page["Cache-Control"]


def test_a_notice_is_worded_in_the_language_it_is_read_in(client, village, reader):
    happen(reader)
    assert "In de:" in client.get("/de/notices/").text
    assert "In en:" in client.get("/en/notices/").text


def test_what_is_no_longer_true_is_not_listed_nor_counted(client, village, reader):
    happen(reader)
    village.over.add("bcdf")
    assert client.get("/en/notices/").context["lines"] == []
    assert selectors.unread(reader) == 0


def test_reading_one_or_all_needs_a_click(client, village, reader):
    rows = [happen(reader, "game.finished", name) for name in ("a", "b", "c")]
    client.get("/en/notices/")
    assert selectors.unread(reader) == 3
    client.post("/en/notices/read/", {"id": rows[0].pk})
    assert selectors.unread(reader) == 2
    client.post("/en/notices/read/")
    assert selectors.unread(reader) == 0


@pytest.mark.parametrize("wrong", ["x", "-1", "9" * 40, "٣"])
def test_nonsense_marks_nothing_of_others_and_breaks_nothing(client, village, reader, wrong):
    other = member("Beat")
    row = happen(other)
    assert client.post("/en/notices/read/", {"id": row.pk}).status_code == 302
    assert client.post("/en/notices/read/", {"id": wrong}).status_code == 302
    assert client.get("/en/notices/", {"before": wrong}).status_code == 200
    assert selectors.unread(other) == 1


def test_a_long_list_goes_on_on_another_page(client, village, reader):
    for number in range(selectors.PAGE + 5):
        happen(reader, "game.finished", f"g{number}")
    first = client.get("/en/notices/")
    second = client.get("/en/notices/", {"before": first.context["onward"]})
    assert (len(first.context["lines"]), len(second.context["lines"])) == (selectors.PAGE, 5)
    assert second.context["onward"] is None


def test_the_bell_counts_what_is_unread(client, village, reader):
    happen(reader)
    told = client.get("/notices/bell.json").json()
    assert told["unread"] == 1
    assert told["newest"][0]["url"] == "/g/bcdf/"


def test_strangers_have_no_notices(client):
    assert client.get("/notices/bell.json").json() == {"unread": 0, "newest": []}
    assert client.get("/en/notices/").status_code == 200
    assert client.get(PREFERENCES).status_code == 200
    assert Player.objects.count() == 0


def test_the_count_is_one_query(village, reader, django_assert_num_queries):
    for number in range(20):
        happen(reader, "game.finished", f"g{number}")
    with django_assert_num_queries(1):
        assert selectors.unread(reader) == 20


# preferences


def test_who_signs_up_or_in_is_written_to_in_the_language_of_that_page(client):
    signing_up = {"email": "onna@example.org", "password1": "neun-und-dreissig", "name": "Onna"}
    assert client.post("/de/account/signup/", signing_up).status_code == 302
    player = Player.objects.get(name="Onna")
    assert preferences.language_of(player) == "de"
    signing_in = {"login": "onna@example.org", "password": "neun-und-dreissig"}
    assert Client().post("/rm-sursilv/account/login/", signing_in).status_code == 302
    assert preferences.language_of(Player.objects.get(pk=player.pk)) == "rm-sursilv"


def test_saving_without_a_change_keeps_what_was(client, reader):
    assert client.post(PREFERENCES, AS_THEY_COME).status_code == 302
    kept, new = Preference.objects.get(), Preference(player=reader)
    for field in Preference._meta.fields:
        if field.name not in ("id", "language", "asked_how"):
            assert getattr(kept, field.name) == getattr(new, field.name), field.name
    assert kept.language == "en"


def test_what_was_chosen_is_kept_and_shown(client, reader):
    chosen = AS_THEY_COME | {"turn_mail": "deadline", "quiet_from": "23", "quiet_to": "6", "mail_off": "on"}
    client.post(PREFERENCES, chosen)
    kept = Preference.objects.get()
    assert (kept.turn_mail, kept.quiet_from, kept.quiet_to, kept.mail_off) == ("deadline", time(23), time(6), True)
    form = client.get(PREFERENCES).context["form"]
    assert '<option value="23" selected>' in str(form["quiet_from"])


def test_no_quiet_hours_are_both_or_none(client, reader):
    assert client.post(PREFERENCES, AS_THEY_COME | {"quiet_from": "", "quiet_to": ""}).status_code == 302
    assert Preference.objects.get().quiet_from is None
    answer = client.post(PREFERENCES, AS_THEY_COME | {"quiet_from": ""})
    assert answer.status_code == 422
    assert "Give both hours" in answer.text


@pytest.mark.parametrize(
    "wrong", [{"turn_mail": "always"}, {"digest_hour": "24"}, {"quiet_to": "x"}, {"game_mail": ""}]
)
def test_what_cannot_be_chosen_changes_nothing(client, reader, wrong):
    assert client.post(PREFERENCES, AS_THEY_COME | wrong).status_code == 422
    assert not Preference.objects.exists()


def test_a_game_can_differ(client, reader, game):
    page = "/en/notices/game/bcdf/"
    assert "Troccas with Beat" in client.get(page).text
    assert client.post(page, {"mail": "each", "push": ""}).status_code == 302
    kept = GamePreference.objects.get()
    assert (kept.topic, kept.mail, kept.push) == ("bcdf", "each", "")
    assert client.post(page, {"mail": "loud", "push": ""}).status_code == 422


def test_a_game_one_does_not_sit_in_has_no_page(client, reader, game):
    assert client.get("/en/notices/game/ghjk/").status_code == 404
    assert Client().get("/en/notices/game/bcdf/").status_code == 404


def test_a_trial_by_mail_goes_out(client, reader, mail_server):
    from notices import delivery

    assert client.post("/en/notices/preferences/try/", {"channel": "mail"}).status_code == 302
    outbox.tell_due()
    assert delivery.deliver_due() == 1
    assert mail_server.letters[0]["Subject"] == "It works"
    assert "sent" in client.get(PREFERENCES).text
    assert selectors.unread(reader) == 0


def test_trials_are_limited(client, reader):
    for _ in range(8):
        client.post("/en/notices/preferences/try/", {"channel": "mail"})
    assert Outbox.objects.count() == 5


def test_a_trial_that_cannot_arrive_is_not_sent(client):
    guest = Player.objects.create()
    client.cookies["guest"] = sessions.issue_guest_token(guest)
    for channel in ("mail", "push", "pigeon"):
        client.post("/en/notices/preferences/try/", {"channel": channel})
    assert not Outbox.objects.exists()


# stopping mail without logging in


def test_opening_the_page_changes_nothing_and_a_click_stops_all(reader, game):
    stranger = Client()
    page = f"/en/notices/unsubscribe/{mail.token_for(reader, 'bcdf')}/"
    assert "Troccas with Beat" in stranger.get(page).text
    assert stranger.head(page).status_code == 200
    assert not Preference.objects.exists()
    stranger.post(page, {"what": "all"})
    assert Preference.objects.get().mail_off
    assert "no more mail" in stranger.get(page).text
    stranger.post(page, {"what": "all", "undo": "1"})
    assert not Preference.objects.get().mail_off


def test_one_game_can_be_stopped_alone(reader, game, village):
    row = happen(reader)
    page = f"/en/notices/unsubscribe/{mail.token_for(reader, 'bcdf')}/"
    Client().post(page, {"what": "game"})
    assert GamePreference.objects.get().mail == TurnMail.NOTHING
    assert preferences.wishes(Kind.TURN, Preference(), GamePreference.objects.get()).mail is Wish.NEVER
    assert row.deliveries.get().state == Delivery.State.WAITING  # dropped in its time, unless that is taken back
    assert not Preference.objects.filter(mail_off=True).exists()


@pytest.mark.parametrize("token", ["x", "x" * 500, "WyJhIiwiYiJd:1:forged"])
def test_a_forged_link_stops_nothing(reader, token):
    answer = Client().post(f"/en/notices/unsubscribe/{token}/", {"what": "all"})
    assert answer.status_code == 404
    assert not Preference.objects.exists()


def test_the_link_of_a_merged_guest_stops_the_members_mail(reader):
    guest = Player.objects.create(merged_into=reader)
    Client().post(f"/en/notices/unsubscribe/{mail.token_for(guest, '')}/")
    assert Preference.objects.get(player=reader).mail_off


# devices and presence


def test_only_real_subscriptions_of_somebody_known_are_kept(client, push_service):
    browser = push_service.browser()
    given = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
    assert client.post("/notices/push/subscribe/", given).status_code == 403
    client.cookies["guest"] = sessions.issue_guest_token(Player.objects.create())
    for wrong in (
        {"endpoint": "https://10.0.0.1/"},
        {"p256dh": "é"},
        {"auth": "AAAA"},
        {"p256dh": browser.p256dh[:-4]},
    ):
        assert client.post("/notices/push/subscribe/", given | wrong).status_code == 422, wrong
    assert not PushSubscription.objects.exists()
    agent = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    assert client.post("/notices/push/subscribe/", given, headers={"user-agent": agent}).status_code == 204
    assert PushSubscription.objects.get().device == "Firefox, Android"


def test_a_device_can_be_removed_by_its_owner_only(client, reader, push_service):
    browser = push_service.browser()
    given = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
    client.post("/notices/push/subscribe/", given)
    other = Client()
    other.force_login(member("Beat").user)
    device = PushSubscription.objects.get()
    other.post("/en/notices/preferences/device/", {"device": device.pk})
    other.post("/notices/push/unsubscribe/", {"endpoint": browser.endpoint})
    assert PushSubscription.objects.exists()
    client.post("/en/notices/preferences/device/", {"device": device.pk})
    assert not PushSubscription.objects.exists()


def test_a_renewed_subscription_takes_the_place_of_the_old(client, reader, push_service):
    old, new = push_service.browser(), push_service.browser()
    for browser, fields in ((old, {}), (new, {"old": old.endpoint})):
        given = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth} | fields
        client.post("/notices/push/subscribe/", given)
    assert PushSubscription.objects.get().endpoint == new.endpoint


def test_looking_holds_for_that_table_and_that_player(client, reader):
    client.post("/notices/looking/", {"topic": "bcdf"})
    assert preferences.is_looking(reader, "bcdf")
    assert not preferences.is_looking(reader, "ghjk")
    assert not preferences.is_looking(member("Beat"), "bcdf")
    client.post("/notices/looking/", {"topic": "bcdf", "away": "1"})
    assert not preferences.is_looking(reader, "bcdf")


@pytest.mark.parametrize("address", ["/notices/push/subscribe/", "/notices/push/unsubscribe/", "/notices/looking/"])
def test_other_sites_cannot_speak_for_the_reader(reader, address):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reader.user)
    assert strict.post(address, {"topic": "bcdf"}).status_code == 403


# what belongs to a player


def test_a_guest_who_becomes_a_member_keeps_notices_and_choices(reader, village):
    guest = Player.objects.create()
    happen(guest)
    Preference.objects.create(player=guest, digest_hour=18)
    GamePreference.objects.create(player=guest, topic="bcdf", mail="each")
    GamePreference.objects.create(player=guest, topic="ghjk", mail="each")
    GamePreference.objects.create(player=reader, topic="ghjk", mail="nothing")
    privacy.merge(guest, reader)
    assert selectors.unread(reader) == 1
    assert Preference.objects.get().player == reader
    assert dict(GamePreference.objects.values_list("topic", "mail")) == {"bcdf": "each", "ghjk": "nothing"}
    assert not GamePreference.objects.filter(player=guest).exists()


def test_nothing_is_left_of_who_was_let_go(reader, village):
    happen(reader)
    Preference.objects.create(player=reader)
    assert privacy.release(reader) is False
    for model in (Outbox, Delivery, Preference, PushSubscription, GamePreference):
        assert not model.objects.filter(player=reader).exists()


def test_the_export_holds_what_was_told_and_chosen(reader, village):
    happen(reader)
    Preference.objects.create(player=reader, digest_hour=18)
    told: Any = privacy.export(reader)
    assert told["preferences"]["digest_hour"] == 18
    assert told["notices"][0]["event"] == "game.turn"
    assert isinstance(told["notices"][0]["created_at"], datetime)
    assert timezone.now() - told["notices"][0]["created_at"] < timedelta(minutes=1)


# the count for the head of a page


def test_the_head_of_a_page_can_count_what_is_unread(rf, reader, village, django_assert_num_queries):
    happen(reader)
    shown = Template("{% load notices %}{% unread_notices as count %}{{ count }}")
    request = rf.get("/")
    request.visit = Visit("", reader.user)
    assert request.visit.player == reader
    with django_assert_num_queries(1):
        assert shown.render(Context({"request": request})) == "1"
    request.visit.player = None
    with django_assert_num_queries(0):
        assert shown.render(Context({"request": request})) == "0"


def test_who_has_an_account_is_led_to_confirming_the_address_and_not_to_another_account(rf, reader, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    shown = Template("{% load notices %}{% tell_how %}")
    request = rf.get("/")
    request.visit = Visit("", reader.user)
    said = shown.render(Context({"request": request}))
    assert f'href="{reverse("account_email")}"' in said
    assert reverse("account_signup") not in said
    request.visit.player = Player.objects.create(name="Gast")
    said = shown.render(Context({"request": request}))
    assert reverse("account_signup") in said
    assert f'href="{reverse("account_email")}"' not in said


def test_wishes_that_come_twice_at_once_are_kept_once(client, reader, monkeypatch):
    """A form that is sent again because no answer came: the first one is just being written."""
    valid = PreferenceForm.is_valid

    def is_valid(form: PreferenceForm) -> bool:
        Preference.objects.get_or_create(player=reader)
        return valid(form)

    monkeypatch.setattr(PreferenceForm, "is_valid", is_valid)
    assert client.post(PREFERENCES, AS_THEY_COME | {"digest_hour": "9"}).status_code == 302
    kept = Preference.objects.get()
    assert kept.digest_hour == 9
    assert kept.language == "en"
