"""The public pages: what they say before, during and after a tournament, and how one finds oneself."""

from __future__ import annotations

import uuid

import feedparser
import pytest
from django.test import Client
from icalendar import Calendar

from tests.tournaments.publishing.conftest import played
from tests.tournaments.services.kit import STARTS, Night
from tournaments import permissions as tournaments_permissions
from tournaments import read_models
from tournaments.models import Tournament
from tournaments.services import draws

pytestmark = pytest.mark.django_db


def page(client: Client, night: Night, path: str = "") -> str:
    answer = client.get(f"/e/{night.tournament.public_id}/{path}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_before_it_begins_the_page_announces_it(client: Client):
    night = Night.at()
    Tournament.objects.update(
        status="planned", place="Hotel Marsöl", text="Bring <b>friends</b>.", entry="members", most=24
    )
    text = page(client, night)
    for said in (
        "Hotel Marsöl",
        "CHF 10.00",
        "4 rounds, 2 deals each",
        "Members of the club can enter",
        "24 places left",
    ):
        assert said in text
    assert "Bring &lt;b&gt;friends" in text
    assert f"/e/{night.tournament.public_id}/tournament.ics" in text
    assert f"/e/{night.tournament.public_id}/enter/" in text


def test_where_the_club_enters_people_and_while_a_hall_plays_nobody_is_offered_to_enter(client: Client):
    night = Night.at(rules={"rounds": 1, "deals": 1})
    enter = f"/e/{night.tournament.public_id}/enter/"
    Tournament.objects.update(status="planned", entry="desk")
    text = page(client, night)
    assert "1 round, 1 deal each" in text
    assert enter not in text
    Tournament.objects.update(status="running", entry="everybody")
    assert enter not in page(client, night)


def test_while_it_is_played_the_page_leads_to_ones_seat(client: Client):
    night = played(rounds=1)
    text = page(client, night)
    assert "Where do I sit?" in text
    assert "ranking" in text


def test_a_draft_is_seen_by_nobody_but_the_desk(client: Client):
    night = Night.at(8)
    night.begin()
    night.draw(out=False)
    assert "As soon as the first round is drawn" in page(client, night, "")
    assert client.get(f"/e/{night.tournament.public_id}/seating/1.1/").status_code == 404
    assert client.get(f"/e/{night.tournament.public_id}/paper/seating/").status_code == 404
    client.force_login(night.director.user)
    assert "only the tournament director sees it" in page(client, night, "seating/1.1/")


def test_one_finds_oneself_by_the_first_letters_whatever_the_accents(client: Client):
    night = played(rounds=1, number=8)
    person = night.people[2]
    person.first_name, person.last_name, person.named = "Gìachen", "Derungs", True
    person.save()
    hits = page(client, night, "?who=gia+der").partition('aria-live="polite"')[2].partition("<section")[0]
    assert "Gìachen Derungs" in hits
    assert hits.count("<li") == 1
    assert "Nobody with that name" in page(client, night, "?who=xyz")
    assert "Nobody with that name" not in page(client, night, "?who=g")


def test_an_entrants_evening_says_with_whom_against_whom_and_what_it_brought(client: Client):
    night = played(rounds=2, number=8)
    table = night.table("1.1.1")
    client.force_login(night.director.user)
    text = page(client, night, f"entrant/{table.seats[0]}/")
    row = text.partition("<tbody>")[2].partition("</tr>")[0]
    assert f"#t{table.number}" in row
    assert '<td class="number">74' in row
    assert client.get(f"/e/{night.tournament.public_id}/entrant/e99/").status_code == 404


def test_the_page_of_a_round_shows_every_deal_of_every_table(client: Client):
    night = played(rounds=1, number=8)
    text = page(client, night, "seating/1.1/")
    assert text.count('class="panel no-margin padded" id="t') == 2
    assert text.count("<b>37</b>") == 4


def test_a_slip_typed_in_at_the_desk_is_no_correction(client: Client):
    night = Night.at(8)
    night.begin()
    night.draw()
    night.do("table.settled", table="1.1.1", lines=[{"deal": 1, "of": 2, "scores": [80, 64]}])
    assert "Typed in at the desk." in page(client, night)
    assert "Corrected" not in page(client, night)
    lines = [{"deal": 1, "of": 2, "scores": [90, 54]}]
    night.do("table.settled", table="1.1.1", lines=lines, reason="misread")
    assert "Corrected by the director." in page(client, night)
    seated = night.table("1.1.1").owners
    for who in night.state.entrants:
        assert ("corrected" in page(client, night, f"entrant/{who}/")) == (who in seated)


def test_afterwards_the_ranking_is_final_and_prizes_are_named(client: Client):
    night = played(rounds=1, number=8)
    night.do("prizes.set", prizes=[{"code": "1", "amount": 5000}])
    night.do("tournament.closed", despite="the lots are left out")
    text = page(client, night)
    assert text.count("CHF 12.50") == 4  # four share the first rank
    assert "Downloads" in text


def test_a_ranking_of_one_part_is_a_page_of_its_own(client: Client):
    night = played(rounds=1, number=8)
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"])
    night.draw(2)
    assert "Final" in page(client, night, "standings/2/")
    assert client.get(f"/e/{night.tournament.public_id}/standings/3/").status_code == 404


def test_the_feed_tells_rounds_and_the_end_with_addresses_that_never_change(client: Client, settings):
    settings.SITE_URL = "https://troccas.example"
    night = played(rounds=1, number=8)
    night.do("tournament.closed", despite="the lots are left out")
    address = f"/e/{night.tournament.public_id}/news.atom"
    first, again = feedparser.parse(client.get(address).content), feedparser.parse(client.get(address).content)
    assert not first.bozo
    titles = [entry.title for entry in first.entries]
    assert titles == ["The ranking is final", "Round 1 is over", "Round 1 is published", "The door is open"]
    assert [entry.id for entry in first.entries] == [entry.id for entry in again.entries]
    assert all(entry.link.startswith("https://troccas.example/e/") for entry in first.entries)


def test_a_feed_that_tells_nothing_yet_is_the_same_whenever_it_is_read(client: Client):
    announced = Tournament.objects.create(club=Night.at().club, name="Not open yet", starts=STARTS)
    address = f"/e/{announced.public_id}/news.atom"
    first, again = (client.get(address).content for _ in range(2))
    assert first == again
    found = feedparser.parse(first)
    assert (found.entries, found.bozo) == ([], False)


def test_the_feed_speaks_the_language_of_the_tournament(client: Client):
    night = Night.at()
    Tournament.objects.update(language="de")
    feed = feedparser.parse(client.get(f"/e/{night.tournament.public_id}/news.atom").content)
    assert feed.feed.language == "de"


def test_the_date_can_be_put_into_a_calendar(client: Client):
    night = Night.at()
    Tournament.objects.update(sequence=3, status="cancelled")
    made = Calendar.from_ical(client.get(f"/e/{night.tournament.public_id}/tournament.ics").content)
    (event,) = made.walk("VEVENT")
    assert (event["summary"], event["sequence"], event["status"]) == ("Sera da troccas", 3, "CANCELLED")


def test_an_unknown_tournament_is_not_found(client: Client):
    assert client.get("/e/nothing/").status_code == 404


def test_the_pages_of_a_big_evening_cost_few_queries(client: Client, django_assert_max_num_queries):
    night = played(rounds=2, number=24)
    client.get(f"/e/{night.tournament.public_id}/")
    for path in ("", "seating/1.1/", "standings/", "entrant/e1/"):
        with django_assert_max_num_queries(5):
            page(client, night, path)


def test_an_average_is_shown_as_one_reads_it(client):
    night = Night.at(8, rules={"rounds": 1, "deals": 2, "tie_breaks": ["card-points", "opponents-strength"]})
    night.begin()
    night.draw()
    night.play_round("1.1")
    place = read_models.ranking_seen(night.state, read_models.Names(night.tournament, "public")).places[0]
    strength = dict(place.values)["opponents-strength"]
    assert strength is not None
    shown = f"{strength / 1000:.2f}"
    for path in ("standings/", f"entrant/{place.entrant}/", "paper/ranking/", "results/ranking.csv"):
        page = client.get(f"/e/{night.tournament.public_id}/{path}").content.decode()
        assert shown in page, path
        assert str(strength) not in page, path


def test_who_only_reads_the_list_keeps_no_copy_of_the_evening(client: Client):
    night = played(rounds=1, number=8)
    assert "evening.json" not in page(client, night, "standings/")
    client.force_login(night.director.user)
    assert "evening.json" in page(client, night, "standings/")


def test_the_ranking_of_a_tournament_that_is_closed_before_its_last_round_is_final(client: Client):
    night = Night.at(4, rules={"rounds": 3, "deals": 1})
    night.begin()
    night.draw()
    night.play_round("1.1")
    by = tournaments_permissions.director(night.director)
    draws.draw_lots(night.tournament, 1, by=by, request_id=uuid.uuid4())
    client.force_login(night.director.user)
    pages = ("", "standings/", "standings/1/", "paper/ranking/", "entrant/e1/")
    assert not [path for path in pages if "provisional" not in page(client, night, path).lower()]
    night.do("tournament.closed")
    assert not [path for path in pages if "provisional" in page(client, night, path).lower()]
