"""Who may watch a table: what is agreed before and during the game, and what strangers get of a closed one."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from accounts import permissions as account_permissions
from accounts import sessions
from accounts.models import Player
from accounts.services import claim
from games import permissions as game_permissions
from games.chat import services as chat_services
from games.exceptions import GameEnded, Malformed, NotNow, NotYourSeat
from games.lobby.models import OpenTable
from games.lobby.selectors import open_tables
from games.lobby.services import tables
from games.models import Game, Memory, TableWatching, WatchMode
from games.permissions import ClosedTable
from games.selectors import replay
from games.selectors import table as table_selector
from games.services import play
from games.table import urls
from games.watching import selectors
from games.watching import services as watching_services
from games.watching.models import NamedWatcher
from tests.games import pace_kit
from tests.games.lobby_kit import guest, join, lay, member
from tests.games.table_kit import laid, person
from tests.games.test_secrets import CHANGING

pytestmark = pytest.mark.django_db


def browser(player: Player | None) -> Client:
    """The browser of a player; of a stranger for None."""
    client = Client()
    if player is not None:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


@pytest.fixture
def people() -> list[Player]:
    return [guest(name) for name in ("Anna", "Beat", "Clau")]


@pytest.fixture
def game(people: list[Player]) -> Game:
    return play.start("troccas-3", people)


def close(game: Game, people: list[Player]) -> None:
    watching_services.propose(game.pk, people[0], "closed")
    for other in people[1:]:
        watching_services.answer(game.pk, other, agree=True)


# what is agreed


def test_another_mode_holds_when_everybody_who_plays_has_agreed(game, people):
    watching_services.propose(game.pk, people[0], "closed")
    watching_services.answer(game.pk, people[1], agree=True)
    assert game_permissions.mode_of(game) is WatchMode.LINK
    asked = selectors.watching_of(game, people[2]).asked
    assert (asked.by, asked.asks, asked.own) == ("Anna", True, False)
    watching_services.propose(game.pk, people[2], "closed")  # proposing the same is agreeing
    assert game_permissions.mode_of(game) is WatchMode.CLOSED
    assert selectors.watching_of(game, people[2]).asked is None


def test_one_who_declines_takes_it_off_the_table(game, people):
    watching_services.propose(game.pk, people[0], "open")
    watching_services.answer(game.pk, people[1], agree=False)
    assert selectors.watching_of(game, people[0]).asked is None
    with pytest.raises(NotNow):
        watching_services.answer(game.pk, people[2], agree=True)
    assert game_permissions.mode_of(game) is WatchMode.LINK


def test_where_only_people_who_went_away_had_not_agreed_it_can_still_come_into_force():
    people = [guest(name) for name in ("Anna", "Beat", "Clau", "Duri")]
    game = pace_kit.table(people)
    watching_services.propose(game.pk, people[0], "closed")
    watching_services.answer(game.pk, people[1], agree=True)
    assert not selectors.watching_of(game, people[1]).asked.asks
    for gone in people[2:]:
        seat = game.seats.get(player=gone).number
        play.resign(game.pk, seat, request_id=uuid.uuid4(), by=gone)
    assert selectors.watching_of(pace_kit.fresh(game), people[1]).asked.asks, "nobody else is waited for"
    watching_services.answer(game.pk, people[1], agree=True)
    assert game_permissions.mode_of(game) is WatchMode.CLOSED


@pytest.mark.parametrize("service", [watching_services, chat_services])
def test_who_gets_an_account_has_proposed_and_agreed_as_before(service):
    visitor, account, beat, clau = guest("Gast"), member("Anna"), member("Beat"), member("Clau")
    game = play.start("troccas-3", [visitor, beat, clau])
    service.propose(game.pk, visitor, "closed")
    service.answer(game.pk, beat, agree=True)
    claim(visitor, account)
    row = service.answer(game.pk, clau, agree=True)
    assert row.mode == "closed"


def test_who_answers_a_proposal_that_has_changed_meanwhile_answers_nothing(game, people):
    watching_services.propose(game.pk, people[0], "open")
    watching_services.answer(game.pk, people[1], agree=False)
    watching_services.propose(game.pk, people[1], "closed")
    address = reverse("games:watching", args=[game.public_id])
    for do in ("agree", "decline"):
        answer = browser(people[2]).post(address, {"do": do, "mode": "open"})
        assert answer.status_code == NotNow().status
        assert (asked := selectors.watching_of(game, people[2]).asked).asks
        assert asked.mode == "closed"
    page = browser(people[2]).get(address).content.decode()
    assert '<input type="hidden" name="mode" value="closed">' in page


def test_only_those_who_play_have_a_say_and_only_while_the_game_goes_on(game, people):
    with pytest.raises(NotYourSeat):
        watching_services.propose(game.pk, guest("Duri"), "closed")
    with pytest.raises(Malformed):
        watching_services.propose(game.pk, people[0], "secret")
    with pytest.raises(NotNow):
        watching_services.propose(game.pk, people[0], "link")
    watching_services.propose(game.pk, people[0], "open")
    with pytest.raises(NotNow):
        watching_services.propose(game.pk, people[1], "closed")
    play.resign(game.pk, 0, request_id=uuid.uuid4(), by=people[0])
    with pytest.raises(GameEnded):
        watching_services.answer(game.pk, people[1], agree=True)
    assert game_permissions.mode_of(game) is WatchMode.LINK


def test_who_plays_with_computers_alone_decides_alone():
    player = person(name="Anna")
    game = laid(player)
    watching_services.propose(game.pk, player, "closed")
    assert game_permissions.mode_of(game) is WatchMode.CLOSED


@pytest.mark.parametrize(
    ("entry", "chosen", "mode"),
    [
        ("everyone", "", WatchMode.OPEN),
        ("members", "", WatchMode.OPEN),
        ("link", "", WatchMode.LINK),
        ("invited", "", WatchMode.LINK),
        ("invited", "open", WatchMode.OPEN),
        ("everyone", "closed", WatchMode.CLOSED),
    ],
)
def test_the_table_is_laid_as_open_as_was_chosen(entry, chosen, mode):
    host, friend = member("Anna"), member("Beat")
    client = browser(None)
    client.force_login(host.user)
    sent = {
        "request_id": uuid.uuid4(),
        "entry": entry,
        "watchers": chosen,
        "memory": "all",
        "computers": 1,
        "wait": 86400,
    }
    sent |= {"action": 86400, "bank": 0, "vacation": 0, "out": "computer", "hands": 1, "chat": "between"}
    answer = client.post("/en/tables/new/?game=troccas-3&pace=day", sent)
    assert answer.status_code == 303, answer.content.decode()
    table = OpenTable.objects.get()
    page = client.get(reverse("lobby:table", args=[table.public_id])).content.decode()
    assert str(mode.label) in page
    assert "all that was played" in page
    table.entry = "everyone"
    table.save()
    game = join(table, friend).game
    assert game_permissions.mode_of(game) is mode
    assert game.memory == Memory.ALL


def test_alone_against_computers_nobody_is_invited_to_watch():
    host = member("Anna")
    client = browser(None)
    client.force_login(host.user)
    sent = {"request_id": uuid.uuid4(), "entry": "everyone", "computers": 2, "wait": 86400, "action": 86400, "bank": 0}
    sent |= {"vacation": 0, "out": "computer", "hands": 1, "chat": "between"}
    assert client.post("/en/tables/new/?game=troccas-3&pace=day", sent).status_code == 303
    game = Game.objects.get()
    assert game_permissions.mode_of(game) is WatchMode.LINK
    assert game.memory == Memory.LAST


def test_a_table_played_again_keeps_what_was_agreed(people):
    host, friend = member("Anna"), member("Beat")
    table = lay(host, "troccas-3", computers=1, watchers="closed", memory="all")
    game = join(table, friend).game
    play.resign(game.pk, 0, request_id=uuid.uuid4(), by=host)
    play.expire(game.pk)
    again = tables.rematch(game.pk, host, request_id=uuid.uuid4())
    assert (again.watchers, again.memory) == ("closed", "all")


# a closed table


def addresses(game: Game) -> list[str]:
    """Every address of the game."""
    values = {"public_id": game.public_id, "number": 1, "message": 1, "kind": "svg", "step": 1}
    found = []
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        wanted = pattern.pattern.converters
        if "public_id" in wanted:
            found.append(reverse(f"games:{pattern.name}", kwargs={name: values[name] for name in wanted}))
    return found


def test_of_a_closed_table_strangers_get_the_same_page_at_every_address(game, people):
    close(game, people)
    stranger = browser(guest("Duri"))
    assert len(addresses(game)) > 15
    for address in addresses(game):
        for answer in (stranger.get(address), stranger.post(address), browser(None).get(address)):
            assert answer.status_code == 403, address
            assert answer["Cache-Control"] == "private, no-store"
            text = CHANGING.sub("", answer.content.decode())  # a token of chance may spell a name
            assert not any(player.name in text for player in people), address
            if not address.endswith(".json"):
                assert "This table is closed" in text
    assert set(stranger.get(reverse("games:state", args=[game.public_id])).json()) == {"code", "message"}


def test_those_who_play_at_a_closed_table_see_it_as_always(game, people):
    close(game, people)
    for player in people:
        assert browser(player).get(reverse("games:table", args=[game.public_id])).status_code == 200


def test_nothing_of_a_closed_table_is_seen_by_another_way(game, people):
    table = lay(member("Emma"), "troccas-3", computers=1, watchers="closed")
    other = join(table, member("Flurin")).game
    close(game, people)
    for closed in (game, other):
        for viewer in (None, guest("Duri")):
            with pytest.raises(ClosedTable):
                table_selector.sight_of(closed, viewer)
            with pytest.raises(ClosedTable):
                selectors.watching_of(closed, viewer)
    Game.objects.filter(pk=other.pk).update(seeks=True)
    assert open_tables.games_seeking(guest("Gieri")) == []


def test_when_the_game_is_over_a_closed_table_can_be_looked_back_at(game, people):
    close(game, people)
    play.resign(game.pk, 0, request_id=uuid.uuid4(), by=people[0])
    game.refresh_from_db()
    assert browser(None).get(reverse("games:table", args=[game.public_id])).status_code == 200
    assert replay.overview(game, None).public_id == game.public_id


def test_an_unknown_game_is_not_called_closed():
    assert browser(None).get(reverse("games:table", args=["zzzzzzzzzzz"])).status_code == 404


# who watches


def test_a_person_with_several_pages_counts_once_and_every_stranger_for_themselves(game, people):
    watcher = guest("Duri")
    for socket, player in (("a", watcher), ("b", watcher), ("c", None), ("d", None)):
        watching_services.open_page(game.pk, socket, player)
    assert watching_services.count_watchers(game) == 3
    watching_services.close_page("a")
    watching_services.close_page("c")
    assert watching_services.count_watchers(game) == 2
    watching_services.close_page("b")
    watching_services.close_page("d")
    assert watching_services.count_watchers(game) == 0


def test_who_is_not_heard_of_any_more_stops_to_count(game, monkeypatch):
    monkeypatch.setattr(watching_services, "HOLDS_SECONDS", -1.0)
    watching_services.open_page(game.pk, "a", None)
    assert watching_services.count_watchers(game) == 0
    monkeypatch.undo()
    watching_services.keep_page("a")
    assert watching_services.count_watchers(game) == 1


def test_the_number_is_shown_and_a_name_only_if_its_owner_wishes(game, people):
    watcher = guest("Duri")
    watching_services.open_page(game.pk, "a", watcher)
    watching_services.open_page(game.pk, "b", None)
    address = reverse("games:table", args=[game.public_id])
    for viewer in (people[0], watcher, None):
        page = browser(viewer).get(address).content.decode()
        assert "2 people watch." in page
        assert "Among them" not in page
    panel = reverse("games:watching", args=[game.public_id])
    assert browser(watcher).post(panel, {"do": "name"}).status_code == 303
    assert "Among them: Duri." in browser(people[0]).get(address).content.decode()
    watching_services.close_page("a")
    assert "Among them" not in browser(people[0]).get(address).content.decode()
    watching_services.open_page(game.pk, "a", watcher)
    assert browser(watcher).post(panel, {"do": "unname"}).status_code == 303
    assert "Among them" not in browser(people[0]).get(address).content.decode()


@pytest.mark.parametrize(
    ("sent", "status"), [({}, 400), ({"do": "dance"}, 400), ({"do": "propose"}, 400), ({"do": "agree"}, 422)]
)
def test_what_cannot_be_done_is_said_in_words_and_changes_nothing(game, people, sent, status):
    panel = reverse("games:watching", args=[game.public_id])
    answer = browser(people[0]).post(panel, sent)
    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()
    assert browser(guest("Duri")).post(panel, {"do": "propose", "mode": "open"}).status_code == 403
    assert game_permissions.mode_of(game) is WatchMode.LINK


def test_a_guest_who_makes_an_account_stays_named_and_who_goes_is_forgotten(game):
    from games.watching import privacy

    visitor, account = guest("Duri"), member("Duri")
    watching_services.show_name(game, visitor, shown=True)
    privacy.merge(visitor, account)
    assert NamedWatcher.objects.get().player == account
    assert privacy.export(account) == {"named_as_watcher": [game.public_id]}
    assert privacy.release(account) is False
    assert not NamedWatcher.objects.exists()


def test_a_watcher_is_named_to_nobody_whom_they_may_not_meet(game, people):
    anna, beat, clau = people
    duri = member("Duri")
    watching_services.show_name(game, duri, shown=True)
    watching_services.open_page(game.pk, "a page", duri)
    account_permissions.block(duri, anna)
    account_permissions.block(beat, duri)
    assert [selectors.watching_of(game, each).names for each in (anna, beat, clau, duri)] == [
        (),
        (),
        ("Duri",),
        ("Duri",),
    ]
    assert {selectors.watching_of(game, each).count for each in people} == {1}


def test_who_plays_is_no_watcher(game, people):
    with pytest.raises(NotNow):
        watching_services.show_name(game, people[0], shown=True)
    assert TableWatching.objects.count() == 0
