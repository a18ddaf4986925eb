"""The page of preferences: how the table behaves, language and time, when one plays and when one is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lxml import html

from accounts import availability
from accounts.forms import TableForm
from accounts.models import Absence, Player, WakingHours
from tests.accounts.conftest import MakeUser, sign_in

pytestmark = pytest.mark.django_db


def save(client: Client, section: str, **fields: str) -> int:
    return client.post(reverse("accounts:preferences"), {"section": section, **fields}).status_code


def week(**changes: str) -> dict[str, str]:
    fields = {f"{part}_{day}": value for day in range(7) for part, value in (("from", "480"), ("to", "1320"))}
    return fields | changes


def sent_from_the_page(client: Client) -> dict[str, Any]:
    """What the page's one form sends as it stands."""
    document = html.fromstring(client.get(reverse("accounts:preferences")).content)
    (form,) = [form for form in document.forms if form.xpath(".//input[@name='section']")]
    sent: dict[str, Any] = {"section": [field.get("value") for field in form.xpath(".//input[@name='section']")]}
    return {name: value for name, value in form.form_values() if name != "section"} | sent


def test_no_tick_is_lost_whichever_button_is_pressed(client: Client, guest: Player) -> None:
    guest.time_zone = "Asia/Tokyo"
    guest.save()
    chosen = sent_from_the_page(client) | {"forced_cards": "always", "from_5": "", "to_5": "", "at": "hours"}
    answer = client.post(reverse("accounts:preferences"), chosen)
    assert answer["Location"].endswith("#hours")
    guest.refresh_from_db()
    assert guest.forced_cards == "always"
    assert guest.time_zone == "Asia/Tokyo"
    assert availability.availability_of(guest).waking[5] is None


def test_what_is_refused_in_one_part_keeps_nothing_of_the_others_and_shows_all_that_was_typed(
    client: Client, guest: Player
) -> None:
    today = availability.today_of(guest)
    days = {"first_day": str(today + timedelta(days=3)), "last_day": str(today + timedelta(days=5))}
    wrong = sent_from_the_page(client) | days | {"forced_cards": "always", "from_5": "1320", "to_5": "480"}
    page = client.post(reverse("accounts:preferences"), wrong)
    assert page.status_code == 422
    guest.refresh_from_db()
    assert guest.forced_cards == "days"
    assert not Absence.objects.exists()
    assert page.context["forms"]["table"]["forced_cards"].value() == "always"
    assert days["first_day"] in page.text


def test_a_guest_sets_how_the_table_behaves(client: Client, guest: Player) -> None:
    assert (
        save(client, "table", bot_speed="quick", hand_order="low", one_tap="on", forced_cards="always", name="Onna")
        == 302
    )
    guest.refresh_from_db()
    assert (guest.hand_order, guest.one_tap, guest.forced_cards) == ("low", True, "always")
    assert (guest.name, guest.bot_speed, guest.confirm_plays, guest.next_game) == ("", "quick", False, False)


def test_each_section_is_saved_by_itself(client: Client, guest: Player) -> None:
    save(client, "table", bot_speed="quick", hand_order="low", one_tap="on")
    assert save(client, "place", language="de", time_zone="America/New_York") == 302
    guest.refresh_from_db()
    assert (guest.hand_order, guest.one_tap, guest.language, guest.time_zone) == ("low", True, "de", "America/New_York")


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("table", {"bot_speed": "quick", "hand_order": "sideways"}),
        ("table", {"bot_speed": "at the speed of light", "hand_order": "high"}), ("place", {"language": "xx"}), ("place", {"time_zone": "Europe/Nowhere"}),
        ("place", {"time_zone": "../../etc/passwd"}), ("absence", {"first_day": "tomorrow", "last_day": ""}),
        ("hours", week(from_2="")), ("hours", week(from_0="1320", to_0="480")), ("hours", week(to_0="541")),
        ("hours", {}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_changes_nothing(
    client: Client, guest: Player, section: str, fields: dict[str, str]
) -> None:
    before = Player.objects.values().get()
    response = client.post(reverse("accounts:preferences"), {"section": section, **fields})
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    after = Player.objects.values().get()
    assert {name: after[name] for name in ("language", "time_zone", "hand_order")} == {
        name: before[name] for name in ("language", "time_zone", "hand_order")
    }
    assert not WakingHours.objects.exists()
    assert not Absence.objects.exists()


def test_waking_hours_are_kept_with_days_off(client: Client, guest: Player) -> None:
    assert save(client, "hours", **week(from_5="", to_5="", from_6="600", to_6="1440")) == 302
    kept = availability.availability_of(guest).waking
    assert kept[0] == (480, 1320)
    assert kept[5] is None
    assert kept[6] == (600, 1440)
    page = client.get(reverse("accounts:preferences")).content.decode()
    assert '<option value="1440" selected>24:00</option>' in page


def test_an_absence_is_noted_shown_and_taken_back(client: Client, guest: Player) -> None:
    today = availability.today_of(guest)
    first, last = today + timedelta(days=3), today + timedelta(days=5)
    assert save(client, "absence", first_day=str(first), last_day=str(last)) == 302
    row = Absence.objects.get()
    assert (row.first_day, row.last_day, row.automatic) == (first, last, False)
    page = client.get(reverse("accounts:preferences")).content.decode()
    assert f'name="back" value="{row.pk}"' in page
    client.post(reverse("accounts:preferences"), sent_from_the_page(client) | {"back": str(row.pk)})
    assert not Absence.objects.exists()


def test_an_absence_without_days_is_no_absence(client: Client, guest: Player) -> None:
    answer = client.post(reverse("accounts:preferences"), sent_from_the_page(client) | {"at": "absence"})
    assert answer.status_code == 422
    assert set(answer.context["forms"]["absence"].errors) == {"first_day", "last_day"}
    assert client.post(reverse("accounts:preferences"), sent_from_the_page(client) | {"at": "table"}).status_code == 302


def test_what_became_of_it_is_said_where_the_page_opens(client: Client, guest: Player) -> None:
    here = "//section[@aria-labelledby='absence']//*[@role='status']"
    today = availability.today_of(guest)
    days = {"first_day": str(today + timedelta(days=3)), "last_day": str(today + timedelta(days=5))}
    sent = sent_from_the_page(client) | days | {"at": "absence"}
    document = html.fromstring(client.post(reverse("accounts:preferences"), sent, follow=True).content)
    assert [each.text for each in document.xpath(here)] == ["Saved."]
    assert len(document.xpath("//main//*[text()='Saved.']")) == 1
    document = html.fromstring(client.post(reverse("accounts:preferences"), sent).content)  # those days are taken
    (summary,) = document.xpath("//main/p[@role='alert']//a")
    assert summary.get("href") == "#absence"
    row = Absence.objects.get()
    back = sent_from_the_page(client) | {"back": str(row.pk)}
    document = html.fromstring(client.post(reverse("accounts:preferences"), back, follow=True).content)
    assert [each.text for each in document.xpath(here)] == ["You are back."]


def test_every_button_that_saves_is_named_with_what_it_saves(client: Client, guest: Player) -> None:
    document = html.fromstring(client.get(reverse("accounts:preferences")).content)
    buttons = document.xpath("//main//button[@name='at' and normalize-space()='Save']")
    names = [
        [document.get_element_by_id(each).text_content() for each in button.get("aria-labelledby").split()]
        for button in buttons
    ]
    assert len(names) > 3
    assert ["Save", "At the table"] in names
    assert len(set(map(tuple, names))) == len(names)


def test_nobody_ends_the_absence_of_another(client: Client, guest: Player) -> None:
    other = Player.objects.create()
    row = availability.plan(other, availability.today_of(other), availability.today_of(other) + timedelta(days=2))
    client.post(reverse("accounts:preferences"), sent_from_the_page(client) | {"back": str(row.pk)})
    assert Absence.objects.filter(pk=row.pk, last_day=row.last_day).exists()


def test_saving_preferences_does_not_write_over_a_change_elsewhere(guest: Player, make_user: MakeUser) -> None:
    form = TableForm({"bot_speed": "normal", "hand_order": "low"}, instance=Player.objects.get(pk=guest.pk))
    assert form.is_valid()
    Player.objects.filter(pk=guest.pk).update(user=make_user(player=False), time_zone="Asia/Tokyo")
    form.write()
    row = Player.objects.get()
    assert row.is_member
    assert (row.time_zone, row.hand_order) == ("Asia/Tokyo", "low")


def test_the_page_opens_for_members_in_every_language(
    client: Client, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_year = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)  # half past midnight in Zurich
    monkeypatch.setattr(timezone, "now", lambda: new_year)
    make_user()
    sign_in(client)
    for language in ("en", "de", "rm-sursilv"):
        response = client.get(reverse("accounts:preferences").replace("/en/", f"/{language}/"))
        assert response.status_code == 200
        assert "2027" in response.content.decode()
