"""Calendar and news: dates in the hall's time, what other programs read, prose that is harmless."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import feedparser
import icalendar
import pytest
from django.utils import timezone

from accounts.models import Player
from clubs.evenings import Entry
from clubs.models import Club, ClubDate
from clubs.services import calendar
from clubs.services import calendar as clubs_services_calendar
from clubs.text import prose
from tests.clubs import kit

pytestmark = pytest.mark.django_db
HALL = ZoneInfo("Europe/Zurich")


def add(people, title="Jass und Troccas", days=3, **how):
    starts = timezone.now() + timedelta(days=days)
    return calendar.add(
        people.club, people.secretary, ClubDate(title=title, starts=starts, **how), request_id=kit.rid()
    )


def test_what_is_over_moves_into_the_archive(people):
    add(people, "Coming")
    add(people, "Long over", days=-3)
    entries = calendar.entries(people.club)
    assert [entry.title for entry in calendar.upcoming(entries)] == ["Coming"]
    assert [entry.title for entry in calendar.past(entries)] == ["Long over"]


def test_an_evening_that_has_begun_is_not_over_for_four_hours(people):
    starts = timezone.now() - timedelta(hours=3)
    calendar.add(people.club, people.secretary, ClubDate(title="Now", starts=starts), request_id=kit.rid())
    assert calendar.upcoming(calendar.entries(people.club))
    assert not calendar.upcoming(calendar.entries(people.club), timezone.now() + timedelta(hours=2))


def test_tournaments_stand_among_the_dates_by_their_beginning(people):
    row = add(people)
    now = timezone.now()
    tournament = Entry("t1", "Cup", now, None, "Hall", "", "/e/x/", False, 0, now, True)
    merged = calendar.merged(people.club, ClubDate.objects.all(), [tournament])
    assert [entry.id for entry in merged] == ["t1", row.public_id]


def test_times_on_the_form_are_those_of_the_hall_wherever_one_sits(people):
    Player.objects.filter(pk=people.secretary.pk).update(time_zone="Asia/Tokyo")
    client = kit.browser(people.secretary)
    answer = kit.post(client, f"/c/{people.club.slug}/calendar/new/", title="Troccas", starts="2027-01-15T19:30")
    assert answer.status_code == 303
    row = ClubDate.objects.get()
    assert row.starts == datetime(2027, 1, 15, 19, 30, tzinfo=HALL)
    assert "19:30" in client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_an_end_of_the_calendar_is_no_date(people, moment):
    """There it has no time in another time zone, in which it is stored, or read by somebody."""
    path = f"/c/{people.club.slug}/calendar/new/"
    answer = kit.post(kit.browser(people.secretary), path, title="Troccas", starts=moment)
    assert answer.status_code == 422
    assert "Write day and time" in answer.content.decode()


def test_a_date_does_not_end_before_it_begins(people):
    client = kit.browser(people.secretary)
    path = f"/c/{people.club.slug}/calendar/new/"
    answer = kit.post(client, path, title="Troccas", starts="2027-01-15T19:30", ends="2027-01-15T18:00")
    assert answer.status_code == 422
    assert "end before it begins" in answer.content.decode()


def test_the_calendar_can_be_subscribed_to(people):
    row = add(people, "Troccas, abends; mit Musik", place="Trun, Casa Tödi", text="Line one\nLine two")
    path = f"/c/{people.club.slug}/calendar/calendar.ics"
    first = kit.browser(None).get(path)
    assert first["Content-Type"].startswith("text/calendar")
    assert first.content == kit.browser(people.secretary).get(path).content
    event = next(iter(icalendar.Calendar.from_ical(first.content).walk("VEVENT")))
    assert str(event["SUMMARY"]) == "Troccas, abends; mit Musik"
    assert str(event["LOCATION"]) == "Trun, Casa Tödi"
    assert event["UID"].startswith(row.public_id)
    assert event.decoded("DTEND") - event.decoded("DTSTART") == calendar.USUAL_LENGTH
    assert int(event["SEQUENCE"]) == 0


def test_cancelling_is_told_to_calendars(people):
    row = add(people)
    calendar.cancel(people.club, people.secretary, row.public_id, cancelled=True, request_id=kit.rid())
    feed = kit.browser(None).get(f"/c/{people.club.slug}/calendar/calendar.ics").content
    event = next(iter(icalendar.Calendar.from_ical(feed).walk("VEVENT")))
    assert str(event["STATUS"]) == "CANCELLED"
    assert int(event["SEQUENCE"]) == 1


def test_a_calendar_that_has_not_changed_is_not_sent_again(people):
    add(people)
    path = f"/c/{people.club.slug}/calendar/calendar.ics"
    tag = kit.browser(None).get(path)["ETag"]
    assert kit.browser(None).get(path, HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_adding_the_same_request_twice_adds_one_date(people):
    request_id, plan = kit.rid(), ClubDate(title="Once", starts=timezone.now())
    first = calendar.add(people.club, people.secretary, plan, request_id=request_id)
    assert calendar.add(people.club, people.secretary, plan, request_id=request_id) == first
    assert ClubDate.objects.count() == 1


def test_news_are_a_feed_with_ids_that_stay(people):
    row = clubs_services_calendar.publish(
        people.club, people.secretary, "Winners", "**Bravo** <b>x</b>", request_id=kit.rid()
    )
    path = f"/c/{people.club.slug}/news/news.atom"
    feed = feedparser.parse(kit.browser(None).get(path).content)
    assert not feed.bozo
    assert feed.feed.title == people.club.name
    before = feed.entries[0].id
    clubs_services_calendar.change_news(
        people.club, people.secretary, row.public_id, "Winners!", "x", request_id=kit.rid()
    )
    after = feedparser.parse(kit.browser(None).get(path).content).entries[0]
    assert after.id == before
    assert after.title == "Winners!"


def test_a_feed_without_news_is_as_old_as_the_club_whenever_it_is_read(people):
    path = f"/c/{people.club.slug}/news/news.atom"
    first, again = (kit.browser(None).get(path).content for _ in range(2))
    assert first == again
    assert feedparser.parse(first).feed.updated_parsed == people.club.created_at.utctimetuple()


def test_feeds_of_a_club_that_is_gone_are_gone(people):
    Club.objects.filter(pk=people.club.pk).update(closed_at=timezone.now())
    for path in ("calendar/calendar.ics", "news/news.atom"):
        assert kit.browser(None).get(f"/c/{people.club.slug}/{path}").status_code == 404


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;", "<script"),
        ("[x](javascript:alert(1))", "javascript", "href"),
        ("![x](https://example.org/x.png)", "", "<img"),
        ("# Big", "<h3>Big</h3>", "<h1"),
        ("[x](https://example.org/)", 'rel="nofollow ugc noopener"', "onclick"),
        ("one\ntwo", "one<br", "<style"),
        ('<a href="https://example.org" onclick="x()">y</a>', "&lt;a", "<a "),
    ],
)
def test_prose_is_harmless(text, shown, hidden):
    html = prose(text)
    assert shown in html
    assert hidden not in html
