"""What the pages of the daily deal say, and to whom."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts import permissions as account_permissions
from games.daily import services
from games.daily.models import DailyDay, DailyWishes
from games.models import Game
from tests.games.daily import kit
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db


def before() -> datetime:
    """A day before today on which Troccas was played, so that words do not hang on when the test runs."""
    then = timezone.now() - timedelta(days=3)
    while services.choice_on(services.day_at(then)).ruleset != "troccas":
        then -= timedelta(days=1)
    return then


def words(page: str) -> str:
    """A page as it is read: without markup, with single spaces."""
    main = re.search(r"<main.*</main>", page, re.DOTALL)
    assert main is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main.group())).split())


def read(player, path: str) -> str:
    return words(kit.text_of(kit.browser(player), path))


def a_day(*results: int, computer: int | None = None, shown: int = 0):
    """A day before today, open: members A0, A1, …, with these results, the first `shown` of them with name and game."""
    then = before()
    people = []
    for number, points in enumerate(results):
        player = kit.member(f"Anna{number}")
        kit.played(player, then + timedelta(seconds=number), points)
        if number < shown:
            DailyWishes.objects.create(player=player, shows_name=True, shows_play=True)
        people.append(player)
    day = kit.opened(DailyDay.objects.get(), computer=computer)
    return day, people


def test_today_names_the_game_the_promise_the_hours_and_one_button():
    page = kit.text_of(Client(), "/en/daily/")
    day = DailyDay.objects.get()
    from games.daily.selectors import promise_of

    assert promise_of(day) in page
    assert page.count('action="/en/daily/play/"') == 1
    read_as = words(page)
    assert "until midnight" in read_as
    assert "until 3 in the morning" in read_as
    assert "Nobody has begun it yet" in read_as
    assert "Monday Troccas" in read_as
    assert page.count('aria-current="date"') == 1


def test_between_begun_and_played_the_button_goes_on():
    anna = person()
    kit.begun(anna, timezone.now())
    page = read(anna, "/en/daily/")
    assert "Go on with today’s deal" in page
    assert "1 person has begun it" in page
    assert "Go on with today’s deal" in read(anna, "/en/")


def test_after_playing_only_ones_own_points_are_told():
    anna, now = person(), timezone.now()
    kit.played(anna, now, 777)
    kit.played(person(), now, -888)
    page = read(anna, "/en/daily/")
    assert "You made +777" in page
    assert "The comparison comes tomorrow at 3 in the morning, Swiss time." in page
    assert "888" not in page.split("What is promised")[0]
    assert 'action="/en/daily/play/"' not in kit.text_of(kit.browser(anna), "/en/daily/")
    assert "the comparison comes tomorrow at 3 in the morning, Swiss time" in read(anna, "/en/")


def test_the_table_page_says_what_it_was_and_leads_back():
    anna, now = person(), timezone.now()
    entry = kit.begun(anna, now)
    Game.objects.filter(pk=entry.game_id).update(status=Game.Status.EXPIRED, ended_at=now)
    page = kit.text_of(kit.browser(anna), f"/g/{entry.game.public_id}/")
    assert "the day was over at 3 in the morning, Swiss time" in words(page)
    assert f"/en/daily/{entry.day.date}/" in page


def test_who_left_or_did_not_end_is_told_so():
    now = timezone.now()
    for status, said in ((Game.Status.RESIGNED, "You left the table"), (Game.Status.EXPIRED, "was not over by 3")):
        anna = person()
        entry = kit.begun(anna, now)
        Game.objects.filter(pk=entry.game_id).update(status=status, ended_at=now)
        assert said in read(anna, "/en/daily/")


def test_a_day_that_is_over_and_not_open_says_only_that():
    then = before()
    anna = person()
    entry = kit.played(anna, then, 777)
    path = f"/en/daily/{entry.day.date}/"
    assert "You made +777" in read(anna, path)
    stranger = read(None, path)
    assert "777" not in stranger
    assert "the last ones are still playing" in stranger


def test_days_that_never_were_are_not_found():
    ahead = services.day_at(timezone.now()) + timedelta(days=1)
    for path in (f"{ahead}", "2020-01-01", "2026-02-30", "2026-13-01"):
        assert Client().get(f"/en/daily/{path}/").status_code == 404
    today = Client().get(f"/en/daily/{services.day_at(timezone.now())}/")
    assert (today.status_code, today["Location"]) == (302, "/en/daily/")


def test_who_may_have_met_the_deal_before_as_a_guest_is_compared_with_nobody_and_it_is_said():
    """Somebody who rehearses as a guest in one browser and plays in another one changes no comparison."""
    then = before()
    guest, other = person(), person()
    kit.played(guest, then, 30)
    kit.played(other, then, 21)
    kit.played(kit.member("Anna"), then, 10)
    kit.played(kit.member("Beat"), then, 4)
    day = kit.opened(DailyDay.objects.get())
    assert (day.players, day.datum) == (2, 7)
    path = f"/en/daily/{day.date}/"
    page = read(None, path)
    assert "2 people have played this deal to its end" in page
    assert "2 guests have played it, too, and made +26 on average. Guests are counted apart" in page
    assert "+30" not in page
    page = read(guest, path)
    assert "Your points +30" in page
    assert "Your gain +23" in page
    assert "Better than 2 of 2 others." in page
    assert "your result is not among these" in page
    told = Client().get("/daily/days.json").json()["days"][0]
    assert (told["players"], told["average"]) == (2, 7)
    assert told["results"] == [{"points": 10, "people": 1}, {"points": 4, "people": 1}]


def test_where_only_guests_played_nobody_is_compared():
    then, guest = before(), person()
    kit.played(guest, then, 30)
    day = kit.opened(DailyDay.objects.get())
    page = read(guest, f"/en/daily/{day.date}/")
    assert "Nobody with an account played this deal to its end." in page
    assert "1 guest has played it, too, with a result of +30." in page
    assert "Your points +30" in page
    assert "Average of all" not in page
    archive = read(guest, "/en/daily/archive/")
    assert "+30" in archive
    assert "You have played 1 day." in archive


def test_the_traveller_of_an_open_day():
    day, people = a_day(10, 10, 4, -7, computer=6)
    assert day.datum == 4  # 17 / 4 = 4.25
    DailyDay.objects.update(par_plays=40, par_total=240, par_squares=40 * 36 + 39 * 100)
    page = read(people[0], f"/en/daily/{day.date}/")
    assert "4 people have played this deal to its end" in page
    assert "Your points +10" in page
    assert "Average of all +4" in page
    assert "Your gain +6" in page
    assert "Better than 2 of 3 others, equal with 1." in page
    assert (
        "made +6.0 points on average, give or take 1.6. They played these cards 40 times, each time a little differently;"
        in page
    )
    assert "lay about 10 away from that. That is a gain of +2.0. See how a computer player played it" in page
    assert re.search(r"Points People \+10 \(you too\) 2 \+4 1 −7 1", page)
    stranger = read(None, f"/en/daily/{day.date}/")
    assert "Your result" not in stranger
    assert re.search(r"Points People \+10 2 \+4 1 −7 1", stranger)


def test_nobody_is_named_who_does_not_wish_it():
    day, people = a_day(10, 8, 4, shown=1)
    guest = person(name="Hidden Guest")
    DailyWishes.objects.create(player=guest, shows_name=True, shows_play=True)  # a form that no guest is given
    page = kit.text_of(Client(), f"/en/daily/{day.date}/")
    assert "Anna0" in page
    assert "Anna1" not in page
    assert "Anna2" not in page
    assert people[1].public_id not in page
    games = {entry.player_id: entry.game.public_id for entry in day.entries.select_related("game")}
    assert games[people[0].pk] in page
    assert games[people[1].pk] not in page
    assert "somebody" in page


def test_a_name_without_the_game_leads_to_no_replay():
    day, people = a_day(10, 8)
    DailyWishes.objects.create(player=people[0], shows_name=True, shows_play=False)
    page = kit.text_of(Client(), f"/en/daily/{day.date}/")
    assert "Anna0" in page
    assert day.entries.get(player=people[0]).game.public_id not in page
    assert "Nobody has let others see their game" in page


@pytest.mark.parametrize("way", ["blocks", "is blocked"])
def test_blocked_people_do_not_meet_in_the_lists(way):
    day, people = a_day(10, 8, 6, shown=2)
    reader = people[2]
    if way == "blocks":
        account_permissions.block(reader, people[0])
    else:
        account_permissions.block(people[0], reader)
    page = kit.text_of(kit.browser(reader), f"/en/daily/{day.date}/")
    assert "Anna0" not in page
    assert "Anna1" in page
    assert day.entries.get(player=people[0]).game.public_id not in page


def test_a_guest_is_never_named_even_to_others():
    then = before()
    guest = person(name="Guesty")
    kit.played(guest, then, 3)
    DailyWishes.objects.create(player=guest, shows_name=True, shows_play=True)
    day = kit.opened(DailyDay.objects.get())
    assert "Guesty" not in kit.text_of(Client(), f"/en/daily/{day.date}/")


def test_the_wishes_are_stored_and_a_game_without_a_name_is_refused():
    anna = kit.member("Anna")
    client = kit.browser(anna)
    refused = client.post("/en/daily/wishes/", {"shows_play": "on", "remind_hour": ""})
    assert refused.status_code == 422
    assert "show your name as well" in refused.content.decode()
    assert not DailyWishes.objects.exists()
    assert client.post("/en/daily/wishes/", {"shows_name": "on", "remind_hour": "99"}).status_code == 422
    assert (
        client.post("/en/daily/wishes/", {"shows_name": "on", "shows_play": "on", "remind_hour": "7"}).status_code
        == 302
    )
    row = DailyWishes.objects.get(player=anna)
    assert (row.shows_name, row.shows_play, row.remind_hour) == (True, True, 7)
    assert row.remind_at is not None
    client.post("/en/daily/wishes/", {"remind_hour": ""})
    row = DailyWishes.objects.get(player=anna)
    assert (row.shows_name, row.shows_play, row.remind_hour, row.remind_at) == (False, False, None, None)


def test_guests_and_strangers_are_given_no_form():
    assert 'action="/en/daily/wishes/' not in kit.text_of(kit.browser(person()), "/en/daily/")
    assert kit.browser(person()).post("/en/daily/wishes/", {"shows_name": "on"}).status_code == 302
    assert Client().post("/en/daily/wishes/", {"shows_name": "on"}).status_code == 302
    assert not DailyWishes.objects.exists()


def test_the_archive_lists_days_by_month_with_ones_own():
    day, people = a_day(10, 4, computer=6)
    page = read(people[0], "/en/daily/archive/")
    assert "You have played 1 day." in page
    assert re.search(r"2 \+7 \+10 \+3", page)
    assert "Too few days yet" in page
    assert "Your days" not in read(None, "/en/daily/archive/")
    assert read(None, "/en/daily/archive/?month=1999-01")  # the last month instead
    assert read(None, "/en/daily/archive/?month=nonsense")
    assert f"/en/daily/{day.date}/" in kit.text_of(Client(), "/en/daily/archive/")


def test_without_an_open_day_the_archive_says_what_to_do():
    assert "No day is open yet." in read(None, "/en/daily/archive/")


def test_the_days_for_programs():
    day, _people = a_day(10, 10, 4, computer=6, shown=3)
    DailyDay.objects.update(par_plays=40, par_total=240, par_squares=40 * 36 + 39 * 100)
    client = Client()
    answer = client.get("/daily/days.json")
    assert "public" in answer["Cache-Control"]
    told = answer.json()
    assert told["next"] is None
    [one] = told["days"]
    assert (one["day"], one["players"], one["average"], one["computer"]) == (day.date.isoformat(), 3, 8, 6)
    assert one["par"] == {"plays": 40, "mean": 6.0, "error": 1.58}
    assert one["results"] == [{"points": 10, "people": 2}, {"points": 4, "people": 1}]
    assert "Anna" not in answer.content.decode()
    assert client.get("/daily/days.json", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get(f"/daily/days.json?before={day.date}").json()["days"] == []
    refused = client.get("/daily/days.json?before=never", headers={"accept-language": "de"})
    assert (refused.status_code, refused.json()["error"]) == (400, "«before» ist ein Tag wie 2026-11-22.")


def test_pages_are_kept_by_nobody():
    day, people = a_day(3)
    for path in ("", "archive/", f"{day.date}/"):
        answer = kit.browser(people[0]).get(f"/en/daily/{path}")
        assert "no-store" in answer["Cache-Control"]
