"""Finding a table over HTTP: lists and filters, laying one in steps, sitting down, inviting; what strangers may not do."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import sessions
from accounts.models import Player
from domain.engine.rulesets import ruleset
from domain.pace import Out
from games.lobby import text
from games.lobby.models import Invitation, OpenTable
from games.lobby.selectors import open_tables as lists
from games.lobby.services import tables
from games.models import Game
from games.selectors import rulesets
from games.services import timing
from games.services.rebuilding import rebuild
from games.table import tasks
from people import services as people
from tests.games.lobby_kit import DAYS, LIVE, guest, join, lay, member, sitting

pytestmark = pytest.mark.django_db


def client_of(player: Player) -> Client:
    """A browser in which somebody is known."""
    client = Client()
    if player.user is not None:
        client.force_login(player.user, "allauth.account.auth_backends.AuthenticationBackend")
    else:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


def at(table: OpenTable, view: str = "table") -> str:
    return reverse(f"lobby:{view}", args=[table.public_id])


def do(client: Client, table: OpenTable, view: str, **data: object):
    return client.post(at(table, view), {"request_id": str(uuid.uuid4()), **data})


def listed(client: Client, **query: str) -> set[str]:
    page = client.get(reverse("tables:list"), query).content.decode()
    return set(re.findall(r"/t/([a-z0-9]+)/", page))


def test_without_script_a_table_that_waits_offers_to_look_again():
    host = member("Anna")
    table, client = lay(host), client_of(host)
    offer = 'no-script"><a class="button" href="?"'
    assert offer in client.get(at(table)).content.decode()
    do(client, table, "close")
    assert offer not in client.get(at(table)).content.decode()


# guests


def test_a_stranger_whose_first_answer_is_lost_sits_down_once():
    table = lay(member("Anna"), pace=DAYS)
    sent = {"request_id": str(uuid.uuid4()), "name": "Gion"}

    def send(browser: str) -> Client:
        client = Client()
        client.cookies["csrftoken"] = browser * 32
        assert client.post(at(table, "join"), sent).status_code == 303
        return client

    first, again = send("a"), send("a")
    assert again.cookies["guest"].value == first.cookies["guest"].value
    assert [player.name for player in Player.objects.filter(user=None, computer="")] == ["Gion"]
    other = send("b")
    assert other.cookies["guest"].value != first.cookies["guest"].value, "only the same browser is the same guest"
    sessions.revoke_guest_tokens(Player.objects.filter(user=None, computer="").order_by("pk")[0])
    assert send("a").cookies["guest"].value not in (first.cookies["guest"].value, other.cookies["guest"].value)


# lists


def test_the_list_shows_open_tables_and_each_filter_narrows_it(client):
    slow = lay(member("Anna"), "troccas", pace=DAYS, language="rm-sursilv")
    fast = lay(member("Beat"), "troggu", size=4, pace=LIVE, computers=2)
    none = lay(member("Clau"), "troccas-3", pace=None)
    every = {slow.public_id, fast.public_id, none.public_id}
    assert listed(client) == every
    assert listed(client, game="troggu") == {fast.public_id}
    assert listed(client, pace="days") == {slow.public_id}
    assert listed(client, pace="live") == {fast.public_id}
    assert listed(client, pace="none") == {none.public_id}
    assert listed(client, language="rm-sursilv") == {slow.public_id}
    assert listed(client, free="2") == {slow.public_id, none.public_id}
    assert listed(client, free="3", pace="days") == {slow.public_id}
    assert listed(client, game="whist", free="many") == every  # what makes no sense is left out
    assert listed(client, game="troccas-6") == set()


def test_only_what_anybody_may_find_is_listed(client):
    shown = [lay(member(), entry=OpenTable.Entry(entry)) for entry in ("everyone", "members")]
    for entry in ("link", "invited"):
        lay(member(), entry=OpenTable.Entry(entry))
    lay(member(), computers=3)
    lay(member(), computers=2, host_starts=True, entry=OpenTable.Entry.INVITED)
    over = lay(member())
    OpenTable.objects.filter(pk=over.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert listed(client) == {table.public_id for table in shown}


def test_tables_of_people_one_does_not_meet_are_not_listed():
    viewer, other, friend = member("Anna"), member("Beat"), member("Clau")
    lay(other)
    with_both = lay(friend)
    join(with_both, other)
    alone = lay(friend)
    account_permissions.block(other, viewer)
    assert listed(client_of(viewer)) == {alone.public_id}


def test_ones_own_tables_and_invitations_come_first():
    viewer, friend = member("Anna"), member("Beat")
    own, other = lay(viewer), lay(friend, entry=OpenTable.Entry.INVITED)
    tables.invite(other.pk, friend, viewer, request_id=uuid.uuid4())
    page = client_of(viewer).get(reverse("tables:list")).content.decode()
    assert page.index("You are invited") < page.index(other.public_id) < page.index(own.public_id)
    assert "Open tables" in page


def test_the_list_is_paged_and_costs_the_same_however_long_it_is(client, django_assert_max_num_queries):
    for _ in range(3):
        host = member()
        for _ in range(8):
            lay(host)
    with django_assert_max_num_queries(8):
        first = listed(client)
    second = listed(client, page="2")
    assert (len(first), len(second)) == (lists.PER_PAGE, 4)
    assert not first & second
    assert listed(client, page="99") == second


# laying


def lay_form(client: Client, game: str = "troccas", pace: str = "day", **data: object):
    fields = {"request_id": str(uuid.uuid4()), "entry": "everyone", "computers": "0", "seating": "draw"}
    fields |= {"wait": str(7 * 86400), "action": str(86400), "bank": str(3 * 86400), "vacation": "7", "out": "computer"}
    fields |= {"weekends": "on", "hands": "2", "talk": "phrases", **{name: str(value) for name, value in data.items()}}
    return client.post(f"{reverse('tables:new')}?game={game}&pace={pace}", fields)


def test_a_table_is_laid_in_three_steps(client):
    games = client.get(reverse("tables:new")).content.decode()
    assert all(f'value="{game}"' in games for game in rulesets.ORDER)
    steps = client.get(reverse("tables:new"), {"game": "troccas"}).content.decode()
    assert all(f'value="{pace.id}"' in steps for pace in text.offered_paces())
    form = client.get(reverse("tables:new"), {"game": "troccas", "pace": "day"}).content.decode()
    assert re.search(r'name="hands" value="2"', form)
    assert not re.search(r'name="throw_in"[^>]*checked', form)


@pytest.mark.parametrize("pace", ["day", "live", "none"])
@pytest.mark.parametrize("game", rulesets.ORDER)
@pytest.mark.slow(but="troccas-day")
def test_what_the_form_offers_first_is_a_valid_table_of_every_game(client, game, pace):
    form = client.get(reverse("tables:new"), {"game": game, "pace": pace}).context["form"]
    sent = {field.name: field.value() for field in form if field.value() is not None and field.value() is not False}
    answer = client.post(
        f"{reverse('tables:new')}?game={game}&pace={pace}",
        {**sent, "name": "Anna", "request_id": str(uuid.uuid4())},
    )
    assert answer.status_code == 303
    table = OpenTable.objects.get()
    assert answer.url == at(table)
    offered = text.pace_of(pace)
    assert offered is not None
    assert table.pace == (offered.terms.to_json() if offered.terms is not None else {})
    assert table.options["hands"] == (
        2
        if pace == "day"
        else ruleset(table.ruleset, table.ruleset_version, table.table_size).settled_options({})["hands"]
    )
    wanted = {"day": "days"}.get(pace, pace)
    assert listed(client, pace=wanted) == {table.public_id}


def test_the_usual_table_of_days_settles_an_absence_in_two_days_and_guesses_no_vacation(client):
    terms = text.offered_paces()[0].terms
    assert text.offered_paces()[0].id == text.USUAL
    assert terms is not None
    assert terms.whole <= timedelta(days=2)
    assert (terms.refills, terms.announced, terms.vacation) == (True, True, 0)


def test_a_table_promises_talk_only_where_the_engine_lets_people_talk():
    silent = lay(member("Anna"), options={"throw_in": False, "talk": "silent"})
    talking = lay(member("Beat"), options={"throw_in": False})
    said = {table.pk: dict(text.agreed(table.options)) for table in (silent, talking)}
    assert said[silent.pk]["What may be said"] == "nothing but the answers that are asked for"
    assert said[talking.pk]["What may be said"] == "phrases of the phrase book"


def test_a_guest_who_lays_a_table_keeps_the_name_that_was_given(client):
    assert lay_form(client, name="Gion Antoni").status_code == 303
    assert OpenTable.objects.get().host.name == "Gion Antoni"
    assert "Gion Antoni" in client.get(reverse("tables:list")).content.decode()


def test_alone_against_computer_players_a_game_of_days_begins_at_once_and_nobody_asks_for_a_name(client):
    answer = lay_form(client, computers=3)
    game = Game.objects.get()
    assert answer.url == reverse("games:table", args=[game.public_id])
    assert client.get(answer.url).status_code == 200


@pytest.mark.services
@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "Write the name by which the others will know you."),
        ({"name": "Admin"}, "This name would pass for the site itself"),
        ({"name": "Anna", "computers": 4}, "Select a valid choice"),
        ({"name": "Anna", "note": "x" * 201}, "200"),
        ({"name": "Anna", "note": "hi\u202ethere"}, "Please use only characters that can be seen."),
        ({"name": "Anna", "wait": 10**9}, "Select a valid choice"),
        ({"name": "Anna", "hands": 0}, "Write a number from 1 to 16."),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason_and_leaves_nothing(client, data, told):
    answer = lay_form(client, **data)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not OpenTable.objects.exists()
    assert not Player.objects.filter(computer="").exists()


def test_more_computer_players_than_seats_are_refused(client):
    answer = lay_form(client, "troggu", name="Anna", size=3, computers=3, stake=10, double_at=30)
    assert answer.status_code == 422
    assert "choose fewer computer players" in answer.content.decode()


def test_the_eleventh_table_is_refused_in_words():
    client = client_of(member())
    for _ in range(10):
        assert lay_form(client).status_code == 303
    answer = lay_form(client)
    assert answer.status_code == 429
    assert "Ten tables of yours are waiting already" in answer.content.decode()


# sitting down


def test_a_guest_comes_by_link_writes_a_name_and_sits_down(client):
    table = lay(member("Anna"), entry=OpenTable.Entry.LINK)
    page = client.get(at(table))
    assert page.status_code == 200
    assert 'name="name"' in page.content.decode()
    assert "Nobody" not in sitting(table).values()
    assert do(client, table, "join", name="Nona", seat="2").url == at(table)
    assert sitting(table) == {0: "Anna", 2: "Nona"}
    assert "guest" in client.cookies


def test_a_guest_reads_times_of_the_device_which_is_asked_once(client):
    table = lay(member("Anna"))
    assert "data-time-zone" in client.get(at(table)).content.decode()
    do(client, table, "join", name="Nona", time_zone="America/New_York")
    nona = Player.objects.get(name="Nona")
    assert nona.time_zone == "America/New_York"
    do(client, lay(member("Beat")), "join", time_zone="Asia/Tokyo")
    nona.refresh_from_db()
    assert nona.time_zone == "America/New_York"
    do(Client(), table, "join", name="Nonno", time_zone="../x")
    assert Player.objects.get(name="Nonno").time_zone == ""


def test_who_has_no_time_zone_is_told_whose_time_a_table_waits_by(client):
    table = lay(member("Anna"))
    for address in (at(table), "/en/tables/"):
        assert re.search(r"until [^<]* \(Zurich time\)", client.get(address).content.decode()), address
    do(client, table, "join", name="Nona", time_zone="America/New_York")
    page = client.get(at(table)).content.decode()
    assert re.search(r"waits until [^<(]*\.", page)
    assert "Zurich time" not in page


@pytest.mark.parametrize("name", ["", "Computer", "\u200b"])
def test_without_a_usable_name_nobody_sits_down_and_no_guest_is_made(client, name):
    table = lay(member("Anna"))
    answer = do(client, table, "join", name=name)
    assert answer.status_code == 422
    assert sitting(table) == {0: "Anna"}
    assert Player.objects.filter(computer="").count() == 1
    assert not client.cookies.get("guest")


def test_a_refused_guest_is_told_why_and_leaves_no_trace(client):
    table = lay(member("Anna"), entry=OpenTable.Entry.MEMBERS)
    answer = do(client, table, "join", name="Nona")
    assert answer.status_code == 403
    assert "people with an account" in answer.content.decode()
    assert Player.objects.filter(computer="").count() == 1


def test_whoever_takes_the_last_seat_goes_to_the_game():
    table = lay(member("Anna"), computers=2)
    answer = do(client_of(member("Beat")), table, "join")
    assert answer.url == reverse("games:table", args=[Game.objects.get().public_id])


def test_a_table_that_has_begun_leads_to_its_game(client):
    table = lay(member("Anna"), computers=3)
    page = client.get(at(table)).content.decode()
    assert reverse("games:table", args=[Game.objects.get().public_id]) in page


def test_a_table_whose_time_is_over_says_so(client):
    table = lay(member("Anna"))
    OpenTable.objects.filter(pk=table.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "is no longer waiting" in client.get(at(table)).content.decode()
    table.refresh_from_db()
    assert table.state == "expired"


def test_the_page_asks_for_the_table_only_when_something_happened(client):
    table = lay(member("Anna"))
    number = OpenTable.objects.get().number
    assert client.get(reverse("lobby:since", args=[table.public_id, number])).status_code == 204
    join(table, member("Beat"))
    fragment = client.get(reverse("lobby:since", args=[table.public_id, number])).content.decode()
    assert "Beat has sat down." in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize("view", ["move", "leave", "remove", "computer", "start", "close", "invite", "decline"])
def test_who_does_not_sit_there_changes_nothing(view):
    table = lay(member("Anna"))
    before = OpenTable.objects.values().get(), sitting(table)
    for client in (Client(), client_of(member("Beat")), client_of(guest())):
        answer = do(client, table, view, seat="1", person=member("Clau").public_id)
        assert answer.status_code in (403, 422)
    assert (OpenTable.objects.values().get(), sitting(table)) == before
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("view", ["join", "move", "leave", "remove", "computer", "start", "close", "invite", "decline"])
def test_nothing_is_done_by_looking_or_without_a_request_id(view):
    host = member("Anna")
    table, client = lay(host), client_of(host)
    assert client.get(at(table, view)).status_code == 405
    assert client.post(at(table, view), {"seat": "x"}).status_code == 400
    assert sitting(table) == {0: "Anna"}


def test_the_host_does_everything_from_the_page():
    host = member("Anna")
    table, client = lay(host), client_of(host)
    assert do(client, table, "computer", seat="1").status_code == 303
    assert do(client, table, "move", seat="2").status_code == 303
    assert do(client, table, "remove", seat="1").status_code == 303
    assert sitting(table) == {2: "Anna"}
    game = do(client, table, "start")
    assert game.url.startswith("/g/")


def test_a_link_comes_as_a_picture_too(client):
    table = lay(member("Anna"))
    answer = client.get(at(table, "qr"))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<?xml")


def test_unknown_tables_are_not_found(client):
    assert client.get("/t/zzzzzzzzzzz/").status_code == 404
    assert client.post("/t/zzzzzzzzzzz/join/", {"request_id": str(uuid.uuid4())}).status_code == 404


# inviting


def test_the_host_finds_people_by_name_and_invites_them():
    host, friend = member("Anna"), member("Ursulina Cavegn")
    member("Zita")
    gone = member("Ursus")
    Player.objects.filter(pk=gone.pk).update(retired_at=timezone.now())
    blocked = member("Urschla")
    account_permissions.block(blocked, host)
    for player in (friend, gone, blocked):
        people.keep_preference(player, found_by_name=True)
    table, client = lay(host), client_of(host)
    page = client.get(at(table), {"find": "urs"}).content.decode()
    assert "Ursulina Cavegn" in page
    assert not {"Zita", "Ursus", "Urschla"} & set(re.findall(r"\w+", page))
    assert do(client, table, "invite", person=friend.public_id).status_code == 303
    answer = client_of(friend).get(at(table)).content.decode()
    assert "Anna invites you to this table." in answer
    assert do(client_of(friend), table, "decline").status_code == 303
    assert Invitation.objects.get().state == "declined"
    assert do(client, table, "invite", person="nobody").status_code == 400


def test_people_one_has_played_with_are_offered_first():
    host, friend = member("Anna"), member("Beat")
    first = lay(host, computers=2)
    join(first, friend)
    table, client = lay(host), client_of(host)
    page = client.get(at(table)).content.decode()
    assert "You have played with:" in page
    assert "Beat" in page
    do(client, table, "invite", person=friend.public_id)
    assert "You have played with:" not in client.get(at(table)).content.decode(), "who is invited is not offered again"


def test_an_invitation_and_its_acceptance_by_the_page():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, entry=OpenTable.Entry.INVITED)
    stranger = client_of(member("Clau"))
    assert "invites people by name" in stranger.get(at(table)).content.decode()
    assert do(stranger, table, "join").status_code == 403
    do(client_of(host), table, "invite", person=friend.public_id, seat="2")
    assert do(client_of(friend), table, "join").status_code == 303
    assert sitting(table) == {0: "Anna", 2: "Beat"}


# seats to take over


def test_games_that_look_for_a_substitute_are_listed_until_somebody_came(client):
    anna, beat, third = member("Anna"), member("Beat"), member("Clau")
    terms = replace(DAYS, out=Out.SUBSTITUTE)
    table = lay(anna, computers=2, at=[1, 3], pace=terms)
    game = join(table, beat).game
    assert game is not None
    assert "Seats to take over" not in client.get(reverse("tables:list")).content.decode()
    timing.begin(game.pk, expected=game.number, now=game.due_at)
    while game.deadline_at is None:
        tasks.do_due(timezone.now() + timedelta(minutes=1))
        game.refresh_from_db()
    timing.time_out(game.pk, expected=game.number, now=game.deadline_at)
    game.refresh_from_db()
    assert game.seeks
    assert game.to_act is not None
    missing = game.seats.get(number=game.to_act).player
    page = client_of(third).get(reverse("tables:list")).content.decode()
    assert reverse("games:table", args=[game.public_id]) in page
    assert "Seats to take over" not in client_of(missing).get(reverse("tables:list")).content.decode()
    timing.substitute(game.pk, game.to_act, request_id=uuid.uuid4(), by=third)
    assert "Seats to take over" not in client.get(reverse("tables:list")).content.decode()


def test_that_a_game_looks_for_somebody_is_made_anew_from_its_log():
    game = lay(member("Anna"), computers=3).game
    assert game is not None
    Game.objects.filter(pk=game.pk).update(seeks=True)
    rebuild(game.pk)
    game.refresh_from_db()
    assert not game.seeks
