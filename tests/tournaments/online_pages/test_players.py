"""What players see of an online tournament: their tables until when, how it works before they enter, leaving and pausing."""

from __future__ import annotations

import re
import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.lobby import text
from games.models import Game
from tests.tournaments.online_pages import kit
from tests.tournaments.online_pages.kit import League
from tests.tournaments.services.kit import member_player
from tournaments import permissions as tournaments_permissions
from tournaments.live import persons
from tournaments.models import Participation, Tournament
from tournaments.services import codes, draws

pytestmark = pytest.mark.django_db


def browser_of(night: League, entrant: str) -> Client:
    """The browser of an entrant's first person."""
    client = Client()
    client.force_login(kit.player_of(night, entrant).user)
    return client


def text_of(html: str) -> str:
    main = html[html.index("<main") : html.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


@pytest.fixture
def night() -> League:
    """Two tables with deals of their own, their games laid by the site."""
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    return night


def test_my_tables_say_with_whom_and_until_when(night):
    who = night.table("1.1.1").seats[0]
    client = browser_of(night, who)
    seen = text_of(client.get(night.address()).content.decode())
    assert "My tables round 1, table 1" in seen
    found = night.state.round("1.1")
    assert found is not None
    table = night.table("1.1.1")
    place = table.people.index(night.state.entrants[who].members[0])
    mates = [other for side in table.sides if place in side for other in side if other != place]
    names = {member.public_id: f"{member.first_name} {member.last_name}" for member in night.people}
    assert f"With {names[table.people[mates[0]]]}" in seen
    until = timezone.localtime(datetime.fromisoformat(found.deadline))
    assert until.strftime("%H:%M") in seen
    assert table.game in client.get(night.address()).content.decode()


def test_times_are_those_of_where_one_lives(night):
    who = night.table("1.1.1").seats[0]
    player = kit.player_of(night, who)
    player.time_zone = "Asia/Tokyo"
    player.save(update_fields=["time_zone"])
    found = night.state.round("1.1")
    assert found is not None
    there = datetime.fromisoformat(found.deadline).astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H:%M")
    seen = text_of(browser_of(night, who).get(night.address()).content.decode())
    assert re.findall(r"until \w+, \d+ \w+ \d+, (\d\d:\d\d)", seen) == [there, there], "of the table and of the round"


def test_strangers_have_no_tables(night, client):
    assert "My tables" not in client.get(night.address()).content.decode()


def test_the_own_page_leads_to_the_game_not_to_a_sheet(night, client):
    table = night.table("1.1.1")
    code = codes.person_code(night.tournament, table.people[0])
    html = client.get(night.address(f"p/{code}/")).content.decode()
    assert table.game in html
    assert "sheet of our table" not in html


def test_a_late_table_stays_among_ones_own_beside_the_next(night):
    who = night.table("1.1.1").seats[0]
    night.do("table.overdue", table="1.1.1", how="postponed", who=[])
    night.do("table.overdue", table="1.1.2", how="postponed", who=[])
    night.do("round.closed", round="1.1")
    night.draw()
    night.begin_games("1.2")
    seen = text_of(browser_of(night, who).get(night.address()).content.decode())
    assert "The deadline has passed: play on, it counts when it is over. 0 of 2 deals played" in seen
    assert len(re.findall(r"round \d, table \d", seen)) >= 2


def test_in_the_last_round_one_can_leave_but_there_is_no_next_one_to_sit_out():
    night = kit.duplicate(8, rules={"rounds": 1, "deals": 2}, online=kit.online())
    client = browser_of(night, night.table("1.1.1").seats[0])
    seen = text_of(client.get(night.address("enter/")).content.decode())
    assert "Sit out the next round" not in seen
    assert "Leave for good" in seen


def test_one_sits_out_and_plays_after_all_and_leaves(night):
    who = night.table("1.1.1").seats[0]
    client = browser_of(night, who)
    page = night.address("enter/")
    client.post(page, {"do": "pause"})
    assert "You sit out the next round." in text_of(client.get(page).content.decode())
    assert night.state.entrants[who].pauses
    client.post(page, {"do": "play-on"})
    assert not night.state.entrants[who].pauses
    assert "Pause, or leave" in text_of(client.get(night.address()).content.decode())
    client.post(page, {"do": "leave"})
    assert night.state.entrants[who].status == "gone"
    home = text_of(client.get(night.address()).content.decode())
    assert "My entry" in home
    assert "Pause, or leave" not in home
    left = text_of(client.get(page).content.decode())
    assert "You have left." in left
    assert "You have entered" not in left
    assert "takes part" not in left
    client.post(page, {"do": "return"})
    assert night.state.entrants[who].status == "here"


def test_who_has_entered_is_told_so_and_not_asked_to_enter(client):
    night = League.open_for(0, online=kit.online(), odd=["bye"])
    night.tournament.entry = "everybody"
    night.tournament.save(update_fields=["entry"])
    member = night.person()
    assert member.player is not None
    client.force_login(member.player.user)
    enter = f'href="{night.address("enter/")}"'
    before = client.get(night.address()).content.decode()
    assert "entries are open" in before
    assert "running" not in text_of(before)
    assert f"{enter}>Enter<" in before
    assert "to be paid to the club" in text_of(client.get(night.address("enter/")).content.decode())
    client.post(night.address("enter/"), {"do": "enter"})
    after = client.get(night.address()).content.decode()
    assert "You have entered" in after
    assert f"{enter}>Enter<" not in after
    assert f"{enter}>My entry<" in after


def test_before_one_enters_it_is_said_how_it_works(client):
    night = League.open_for(
        0, rules={"rounds": 6, "deals": 4, "overdue": "forfeit"}, online=kit.online(duplicate=True), odd=["bye"]
    )
    night.tournament.entry = "everybody"
    night.tournament.save(update_fields=["entry"])
    client.force_login(night.director.user)
    for path in ("", "enter/"):
        seen = text_of(client.get(night.address(path)).content.decode())
        assert "6 rounds of 4 deals, 14 days for each round, about 12 weeks in all" in seen
        assert "Half a day for each move" in seen
        assert "tell nobody about it" in seen
        assert "forfeits" in seen


@pytest.mark.parametrize("pace", ["day", "slow", "brisk"])
def test_an_announcement_has_one_word_for_a_deal(client, pace):
    chosen = text.pace_of(pace)
    assert chosen is not None
    assert chosen.terms is not None
    night = League.open_for(0, rules={"rounds": 6, "deals": 4}, online=kit.online(pace=chosen.terms.to_json()))
    said = {}
    for language in ("en", "de"):
        client.cookies["language"] = language
        said[language] = text_of(client.get(night.address()).content.decode())
    assert "6 rounds, 4 deals each" in said["en"]
    assert "in reserve for each deal" in said["en"]
    assert not re.search(r"\bhands?\b", said["en"])
    assert "6 Runden, je 4 Spiele" in said["de"]
    assert "Reserve für jedes Spiel" in said["de"]
    assert not re.search(r"\b(Hand|Hände|Händen)\b", said["de"])


def test_the_desk_publishes_with_a_deadline_and_sees_whom_a_table_waits_for():
    night = kit.duplicate(8, online=kit.online(), out=False)
    client = Client()
    client.force_login(night.director.user)
    page = night.address("rounds/1.1/")
    draft = client.get(page).content.decode()
    assert 'name="deadline"' in draft
    assert "paper slips" not in draft
    past = client.post(page, {"do": "publish", "deadline": "2020-01-01T20:00"})
    assert past.status_code == 422
    assert "That time is past." in past.content.decode()
    client.post(page, {"do": "publish", "deadline": "2030-01-01T20:00"})
    found = night.state.round("1.1")
    assert found is not None
    assert datetime.fromisoformat(found.deadline).isoformat() == "2030-01-01T20:00:00+01:00"
    night.begin_games("1.1")
    Game.objects.update(asked="cut", to_act=0, waits_for=1)
    seen = text_of(client.get(page).content.decode())
    assert "0 of 2 deals played" in seen
    names = {member.public_id: f"{member.first_name} {member.last_name}" for member in night.people}
    assert f"Waits for {names[night.table('1.1.1').people[0]]}" in seen
    seat = night.game("1.1.1").seats.get(number=0)
    seat.player = member_player("Ursin")
    seat.save(update_fields=["player"])
    assert f"Waits for Ursin (for {names[night.table('1.1.1').people[0]]})" in text_of(
        client.get(page).content.decode()
    )
    client.post(page, {"do": "deadline", "deadline": "2031-02-03T19:00", "reason": "carnival"})
    moved = night.state.round("1.1")
    assert moved is not None
    assert moved.deadline.startswith("2031-02-03T19:00")


def test_the_desk_treats_a_table_as_late_and_forfeits_it():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    client = Client()
    client.force_login(night.director.user)
    page = night.address("tables/1.1.1/")
    assert "Renew the codes" not in client.get(page).content.decode()
    client.post(page, {"do": "postpone"})
    assert night.table("1.1.1").late
    nobody = client.post(page, {"do": "forfeit"})
    assert nobody.status_code == 422
    who = night.table("1.1.1").seats[1]
    client.post(page, {"do": "forfeit", "who": who})
    assert night.table("1.1.1").forfeit == (who,)
    assert night.game("1.1.1").status != Game.Status.PLAYING
    assert "Forfeited" in text_of(client.get(page).content.decode())
    assert "is forfeited by" in text_of(client.get(night.address("log/")).content.decode())


def test_the_desk_of_one_table_reads_its_game_once():
    night = kit.duplicate(12, online=kit.online())
    night.begin_games("1.1")
    client = Client()
    client.force_login(night.director.user)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(night.address("tables/1.1.1/")).status_code == 200
    read = [each["sql"] for each in queries if 'FROM "games_game"' in each["sql"] and "public_id" in each["sql"]]
    assert len(read) == 1
    others = [night.table(f"1.1.{number}").game for number in (2, 3)]
    assert not any(game in sql for game in others for sql in read)


def test_what_is_done_at_a_table_of_a_league_has_its_day():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    client = Client()
    client.force_login(night.director.user)
    page = client.get(night.address("tables/1.1.1/")).content.decode()
    day = timezone.localtime()
    assert f">{day.day}.{day.month}. {day:%H:}" in page


def test_a_round_that_is_closed_still_says_how_many_of_its_tables_play():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    for key in ("1.1.1", "1.1.2"):
        night.do("table.overdue", table=key, how="postponed", who=[])
    night.do("round.closed", round="1.1")
    client = Client()
    client.force_login(night.director.user)
    assert "2 tables, 2 open" in text_of(client.get(night.address("rounds/")).content.decode())


def test_computer_players_are_nobody_on_the_list_of_people():
    night = League.open_for(5, rules={"rounds": 2, "deals": 2}, online=kit.online(), odd=["three"])
    client = Client()
    client.force_login(night.director.user)
    plan = text_of(client.get(night.address("rounds/")).content.decode())
    assert "computer players take them" in plan
    assert "a table of three" not in plan
    night.begin()
    draws.draw(night.tournament, 1, by=tournaments_permissions.director(night.director), request_id=uuid.uuid4())
    house = [each.id for each in night.state.entrants.values() if each.house]
    assert len(house) == 3
    seen = text_of(client.get(night.address("people/")).content.decode())
    assert "here 5 / 5" in seen
    assert "(computer)" not in seen
    assert client.get(night.address(f"people/{house[0]}/")).status_code == 404


def test_who_has_no_account_stands_at_the_draft_with_the_way_to_their_entry():
    night = kit.duplicate(8, online=kit.online(), out=False)
    member = night.people[0]
    member.player = None
    member.save(update_fields=["player"])
    client = Client()
    client.force_login(night.director.user)
    page = night.address("rounds/1.1/")
    seen = client.get(page).content.decode()
    assert "1 person has no account" in seen
    assert f"/members/{member.public_id}/" in seen
    answer = client.post(page, {"do": "publish", "deadline": "2030-01-01T20:00"})
    assert answer.status_code == 422
    found = night.state.round("1.1")
    assert found is not None
    assert found.status == "draft"


def test_a_round_that_is_closed_no_longer_says_what_happens_at_its_deadline():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    client = Client()
    client.force_login(night.director.user)
    page = night.address("rounds/1.1/")
    said = "If a table is not over then:"
    assert said in client.get(page).content.decode()
    for key in ("1.1.1", "1.1.2"):
        night.do("table.overdue", table=key, how="postponed", who=[])
    night.do("round.closed", round="1.1")
    assert said not in client.get(page).content.decode()


def test_the_desk_shows_no_door_while_all_is_played_online():
    night = kit.duplicate(8)
    client = Client()
    client.force_login(night.director.user)
    people = night.address("people/")
    assert "Somebody new" not in client.get(people).content.decode()
    assert "Codes" not in client.get(night.address("log/")).content.decode()
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"], plan={"rules": {"rounds": 1, "deals": 2}})
    assert "Somebody new" in client.get(people).content.decode()


def test_the_desk_undoes_a_draw_whose_games_have_begun_and_they_are_called_off_with_it():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    games = [night.game("1.1.1"), night.game("1.1.2")]
    client = Client()
    client.force_login(night.director.user)
    page = night.address("rounds/1.1/")
    assert "The games at its 2 tables are called off and count for nothing." in text_of(
        client.get(page).content.decode()
    )
    without = client.post(page, {"do": "undo", "reason": ""})
    assert without.status_code == 422
    assert night.game("1.1.1").status == Game.Status.PLAYING
    assert client.post(page, {"do": "undo", "reason": "somebody is missing"}).status_code == 303
    assert night.state.round("1.1") is None
    assert not Game.objects.filter(pk__in=[game.pk for game in games], status=Game.Status.PLAYING).exists()


def test_nobody_is_asked_to_sit_out_a_round_of_a_knock_out_or_to_return_into_one_they_are_out_of():
    night = League.open_for(0, kind="pair", method="knock-out", odd=["bye"], online=kit.online())
    for _pair in range(4):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    night.do("table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [144, 0], "of": 2}], reason="told us")
    for who, returns in zip(night.table("1.1.1").seats, (True, False), strict=True):
        client, page = browser_of(night, who), night.address("enter/")
        seen = text_of(client.get(page).content.decode())
        assert "Sit out the next round" not in seen
        assert "Leave for good" in seen
        assert "Pause, or leave" not in text_of(client.get(night.address()).content.decode())
        assert client.post(page, {"do": "pause"}).status_code == 422
        client.post(page, {"do": "leave"})
        left = text_of(client.get(page).content.decode())
        assert "You have left." in left
        assert ("Play again from the next round on" in left) == returns


def test_how_long_a_knock_out_lasts_depends_on_those_who_come(client):
    night = League.open_for(
        0, kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 5, "deals": 4}, online=kit.online()
    )
    assert "at most 5 rounds of 4 deals" in text_of(client.get(night.address()).content.decode())
    for _pair in range(3):
        night.walk_in(pair=True)
    night.begin()
    assert ": 2 rounds of 4 deals, 14 days for each round, about 4 weeks in all" in text_of(
        client.get(night.address("enter/")).content.decode()
    )


def test_online_there_is_no_desk_to_pay_at_and_no_door_to_come_to(night, client):
    night.tournament.entry = "everybody"
    night.tournament.save(update_fields=["entry"])
    code = codes.person_code(night.tournament, night.table("1.1.1").people[0])
    seen = text_of(client.get(night.address(f"p/{code}/")).content.decode())
    assert "To pay to the club: CHF 10.00" in seen
    assert "desk" not in seen
    client.force_login(member_player("Late").user)
    seen = text_of(client.get(night.address("enter/")).content.decode())
    assert "At present you cannot enter by yourself here." in seen
    assert "door" not in seen
    client.force_login(night.director.user)
    assert "Entry to this tournament is closed" in text_of(client.get(night.address("invite/")).content.decode())


def test_after_the_end_nobody_is_expected_any_more(night):
    client = browser_of(night, night.table("1.1.1").seats[0])
    assert "takes part." in text_of(client.get(night.address("enter/")).content.decode())
    night.do("tournament.closed", despite="it was a test")
    seen = text_of(client.get(night.address("enter/")).content.decode())
    assert "The club expects" not in seen
    assert "takes part" not in seen
    assert "to be paid to the club" in seen
    assert "Leave for good" not in seen


@pytest.fixture
def open_night() -> League:
    """The same two tables, and whoever has an account may still enter."""
    late = {"method": "own-average"}
    night = kit.duplicate(8, rules={"rounds": 3, "deals": 2, "late": late}, online=kit.online())
    Tournament.objects.filter(pk=night.tournament.pk).update(entry="everybody")
    night.begin_games("1.1")
    return night


def substitute_of(night: League, who: str) -> tuple[Client, str]:
    """The browser of somebody who plays for the person of an entrant from now on, and their entry in the list."""
    new = night.person()
    night.do("entrant.substituted", id=who, old=night.state.entrants[who].members[0], new=new.public_id)
    assert new.player is not None
    client = Client()
    client.force_login(new.player.user)
    return client, new.public_id


def test_a_substitute_reads_for_whom_they_play_and_is_neither_offered_to_enter_nor_asked_to_pay(open_night):
    night = open_night
    who = night.table("1.1.1").seats[0]
    client, _person = substitute_of(night, who)
    entry = text_of(client.get(night.address("enter/")).content.decode())
    assert "You play for Vorname" in entry
    assert "I take part" not in entry
    assert "Pause, or leave" not in text_of(client.get(night.address()).content.decode())
    me = text_of(client.get(night.address("me/"), follow=True).content.decode())
    assert "Pair with" not in me
    assert "To pay" not in me
    assert "Round 1, table 1" in me
    assert "Pause, or leave" not in me
    replaced = browser_of(night, who)
    assert "plays for you" in text_of(replaced.get(night.address("enter/")).content.decode())
    own = text_of(replaced.get(night.address("me/"), follow=True).content.decode())
    assert "My tables" not in own
    assert "you will find your table here" not in own


def test_the_others_read_who_sits_with_them_now(night):
    table = night.table("1.1.1")
    who, other = table.seats[:2]
    _client, person = substitute_of(night, who)
    name = next(f"{each.first_name} {each.last_name}" for each in night.people if each.public_id == person)
    client = browser_of(night, other)
    assert name in text_of(client.get(night.address()).content.decode()).partition("My rounds")[0]
    assert name.rpartition(" ")[0] in text_of(client.get(night.address("me/"), follow=True).content.decode())


def test_who_was_a_substitute_and_enters_then_reads_their_own_rounds(open_night):
    night = open_night
    who = night.table("1.1.1").seats[0]
    client, person = substitute_of(night, who)
    night.do("entrant.substituted", id=who, old=person, new=night.state.entrants[who].members[0])
    client.post(night.address("enter/"), {"request_id": str(uuid.uuid4()), "do": "enter"})
    own = next(each.id for each in night.state.entrants.values() if each.members == (person,))
    row = Participation.objects.get(tournament=night.tournament, member__public_id=person)
    assert row.entrant == own
    assert persons.entrant_of_person(night.state, person) == night.state.entrants[own]


def test_only_who_kept_a_table_waiting_reads_beside_it_that_they_forfeited(night):
    lost, *others = night.table("1.1.1").seats
    night.do("table.overdue", table="1.1.1", how="forfeited", who=[lost])
    rounds = {
        who: text_of(browser_of(night, who).get(night.address("me/"), follow=True).content.decode()).partition(
            "My rounds"
        )[2]
        for who in (lost, *others)
    }
    assert "forfeited" in rounds.pop(lost)
    assert not [who for who, text in rounds.items() if "forfeited" in text]


def test_naming_a_substitute_says_what_holds_online_and_offers_nobody_without_an_account(night):
    who = night.table("1.1.1").seats[0]
    _client, _person = substitute_of(night, who)
    desk = Client()
    desk.force_login(night.director.user)
    page = text_of(desk.get(night.address(f"people/{who}/")).content.decode())
    assert "takes the seat in running games at once" in page
    assert "from round 2" not in page
    assert "Or somebody new" not in page


def test_while_a_substitute_plays_the_pages_of_the_round_name_them(night):
    who = night.table("1.1.1").seats[0]
    old = night.state.entrants[who].members[0]
    _client, person = substitute_of(night, who)
    full = {each.public_id: f"{each.first_name} {each.last_name}" for each in night.people}
    desk = Client()
    desk.force_login(night.director.user)
    for page in ("rounds/1.1/", "seating/1.1/"):
        seats = text_of(desk.get(night.address(page)).content.decode())
        assert full[person] in seats
        assert full[old] not in seats.rpartition("Who sits where")[2].partition("Seat by hand")[0]


def test_the_desk_reads_who_plays_at_a_table_and_whom_it_waits_for(night):
    table = night.table("1.1.1")
    _client, person = substitute_of(night, table.owners[0])
    Game.objects.update(asked="cut", to_act=0, waits_for=1)
    full = {each.public_id: f"{each.first_name} {each.last_name}" for each in night.people}
    desk = Client()
    desk.force_login(night.director.user)
    seen = text_of(desk.get(night.address("rounds/1.1/")).content.decode())
    tables = seen.partition("Deadline:")[2].partition("Move the deadline")[0]
    assert f"Waits for {full[person]} since" in tables
    assert full[person] in tables.partition("Waits for")[0]
    assert full[table.people[0]] not in tables


def test_whoever_is_replaced_is_not_offered_to_leave(night):
    table = night.table("1.1.1")
    substitute_of(night, table.owners[0])
    seen = text_of(browser_of(night, table.owners[0]).get(night.address()).content.decode())
    assert "My entry" in seen
    assert "Pause, or leave" not in seen


def test_at_a_table_the_desk_replaces_whoever_sits_there_now(night):
    table = night.table("1.1.1")
    _client, first = substitute_of(night, table.seats[0])
    second = night.person()
    place = next(place for place, owner in enumerate(table.owners) if owner == table.seats[0])
    desk = Client()
    desk.force_login(night.director.user)
    address = night.address("tables/1.1.1/")
    name = next(f"{each.first_name} {each.last_name}" for each in night.people if each.public_id == first)
    assert f'<option value="{place}">{name}</option>' in desk.get(address).content.decode()
    sent = {"request_id": str(uuid.uuid4()), "do": "substitute", "place": place, "new": second.public_id}
    assert desk.post(address, sent).status_code == 303
    assert night.state.sitting(night.table("1.1.1"))[place] == second.public_id
