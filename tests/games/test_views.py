"""The table over HTTP: what is answered, to whom, and that bad input changes nothing."""

from __future__ import annotations

import json
import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from domain.engine import parse_record, replay, shuffle
from games.models import Action, Game
from games.services import computers, play
from tests.games.pace_kit import asked as who_is_asked
from tests.games.pace_kit import people, turned
from tests.games.pace_kit import table as laid_days
from tests.games.table_kit import advised, laid, person, play_hand, play_out, rush, seat_of, sit, wait

pytestmark = pytest.mark.django_db

FETCH = {"HX-Request": "true"}


def sitting(**how):
    """A player on turn at a table, and the client of their browser."""
    player = person()
    game = laid(player, **how)
    sit(game, player)
    wait(game, player)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    return game, player, client


def post(client, game, view="act", **fields):
    headers = fields.pop("headers", FETCH)
    data = {"expected": game.number, "request_id": str(uuid.uuid4())} | fields
    return client.post(reverse(f"games:{view}", args=[game.public_id]), data, headers=headers)


def _without_chance(page):
    """What a page says, without the ids of its forms."""
    return re.sub(rb"[0-9a-f]{8}-[0-9a-f-]{27}|csrfmiddlewaretoken\W+value=\W\w+", b"", page.content)


def test_play_now_lays_a_table_and_leads_to_it():
    client = Client()
    answer = client.post(reverse("games:play_now"))
    game = Game.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == f"/g/{game.public_id}/"
    assert "guest" in answer.cookies
    assert game.seats.count() == 4
    assert client.get(answer["Location"]).status_code == 200


def test_play_now_is_a_post():
    assert Client().get(reverse("games:play_now")).status_code == 405
    assert not Game.objects.exists()


def test_play_now_goes_back_to_the_open_game():
    client = Client()
    first = client.post(reverse("games:play_now"))["Location"]
    assert client.post(reverse("games:play_now"))["Location"] == first
    assert Game.objects.count() == 1


def test_play_now_is_rate_limited_and_says_so():
    answers = [Client().post(reverse("games:play_now")).status_code for _ in range(40)]
    assert set(answers) == {303, 429}
    assert Game.objects.count() == answers.count(303) <= 31


def test_an_accepted_action_answers_with_the_table_as_it_is_now():
    game, player, client = sitting()
    answer = post(client, game, action=advised(game, player))
    game.refresh_from_db()
    assert answer.status_code == 200
    assert answer["X-Number"] == str(game.number)
    assert answer["Cache-Control"] == "private, no-store"
    assert b'id="table"' in answer.content


def test_without_script_an_action_leads_back_to_the_table():
    game, player, client = sitting()
    answer = post(client, game, action=advised(game, player), headers={})
    assert answer.status_code == 303
    assert answer["Location"] == f"/g/{game.public_id}/"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"action": "play T99"}, 400),
        ({"action": "play <script>"}, 400),
        ({"action": ""}, 400),
        ({"action": "x" * 5000}, 400),
        ({"verb": "cut", "number": "many"}, 400),
        ({"action": "veto", "expected": "-1"}, 400),
        ({"action": "veto", "expected": "1e9"}, 400),
        ({"action": "veto", "request_id": "not a uuid"}, 400),
        ({"action": "veto", "expected": "1"}, 409),
        ({"action": "take CK"}, 422),
        ({"action": "cut 999"}, 422),
    ],
)
def test_bad_input_gets_a_clear_answer_and_changes_nothing(fields, status):
    game, _player, client = sitting()
    before = Action.objects.count(), game.number
    answer = post(client, game, **fields)
    game.refresh_from_db()
    assert answer.status_code == status
    assert (Action.objects.count(), game.number) == before
    assert b'role="alert"' in answer.content
    assert answer["X-Number"] == str(game.number)


def test_a_stale_page_without_script_sees_the_message_and_the_present_table():
    game, _player, client = sitting()
    answer = post(client, game, action="veto", expected=game.number - 1, headers={})
    assert answer.status_code == 409
    assert "moved on" in answer.content.decode()
    assert f'data-number="{game.number}"' in answer.content.decode()


def test_a_refusal_is_in_the_readers_language():
    game, _player, client = sitting()
    client.cookies["language"] = "de"
    answer = post(client, game, action="veto", expected=game.number - 1)
    assert "moved on" not in answer.content.decode()


@pytest.mark.parametrize("who", ["stranger", "other guest", "expired cookie"])
def test_who_does_not_sit_there_only_watches(who):
    game, player, _client = sitting()
    client = Client()
    if who == "other guest":
        client.cookies["guest"] = sessions.issue_guest_token(person())
    if who == "expired cookie":
        client.cookies["guest"] = sessions.issue_guest_token(player)
        sessions.revoke_guest_tokens(player)
    before = Action.objects.count()
    page = client.get(reverse("games:table", args=[game.public_id]))
    answer = post(client, game, action=advised(game, player))
    assert page.status_code == 200
    assert answer.status_code == 403
    assert Action.objects.count() == before


def test_an_unknown_game_is_not_found():
    for view in ("table", "state", "why", "record"):
        assert Client().get(reverse(f"games:{view}", args=["zzzzzzzzzzz"])).status_code == 404
    assert Client().post(reverse("games:act", args=["zzzzzzzzzzz"])).status_code == 404


def test_forgery_is_refused():
    game, player, _client = sitting()
    client = Client(enforce_csrf_checks=True)
    client.cookies["guest"] = sessions.issue_guest_token(player)
    assert post(client, game, action=advised(game, player)).status_code == 403


def test_nothing_new_is_an_empty_answer():
    game, _player, client = sitting()
    answer = client.get(reverse("games:since", args=[game.public_id, game.number]))
    assert (answer.status_code, answer.content) == (204, b"")
    assert client.get(reverse("games:since", args=[game.public_id, 1])).status_code == 200


def test_the_state_as_json_is_what_the_page_shows():
    game, player, client = sitting()
    data = client.get(reverse("games:state", args=[game.public_id])).json()
    assert data["viewer"] == seat_of(game, player)
    assert data["number"] == game.number
    assert [card["code"] for card in data["cards"]]


def test_the_table_takes_few_queries(django_assert_max_num_queries):
    game, _player, client = sitting()
    client.get(reverse("games:table", args=[game.public_id]))
    with django_assert_max_num_queries(25):
        client.get(reverse("games:table", args=[game.public_id]))


_NO_QUESTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")


def queries_of(call):
    """What is answered, and the queries it took; where transactions begin and end is left out, and the looks for new words that
    every page takes now and then."""
    with CaptureQueriesContext(connection) as asked:
        answer = call()
    sent = [query["sql"] for query in asked if "rules_catalogue" not in query["sql"]]
    return answer, [sql for sql in sent if not sql.startswith(_NO_QUESTION)]


def test_an_action_and_its_table_take_few_queries_whoever_is_asked_next(monkeypatch):
    with turned(monkeypatch):
        game, player, client = sitting()
        post(client, game, action=advised(game, player))  # from now on the player has been here
        for _ in range(12):
            wait(game, player)
            if game.to_act is None:
                break
            action = advised(game, player)
            answer, queries = queries_of(lambda action=action: post(client, game, action=action))
            game.refresh_from_db()
            assert answer["X-Number"] == str(game.number)
            assert game.to_act is None or len(queries) <= 12, "\n".join(queries)


def test_what_is_answered_to_an_action_is_what_the_page_shows_then():
    game, player, client = sitting()
    for _ in range(6):
        wait(game, player)
        if game.to_act is None:
            break
        answered = post(client, game, action=advised(game, player))
        shown = client.get(reverse("games:since", args=[game.public_id, 1]))
        assert [_without_chance(page) for page in (answered, shown)] == [_without_chance(shown)] * 2


def test_a_table_that_has_moved_on_takes_few_queries():
    game, player, client = sitting()
    post(client, game, action=advised(game, player))
    answer, queries = queries_of(lambda: client.get(reverse("games:since", args=[game.public_id, 1])))
    assert answer.status_code == 200
    assert len(queries) <= 8, "\n".join(queries)


@pytest.mark.django_db(transaction=True)
def test_late_in_a_hand_of_four_people_with_days_an_action_and_what_the_others_see_take_few_queries():
    players = people()
    game = laid_days(players, options={"throw_in": False})
    rush(game, until=lambda hand: len(hand.tricks) > 15)
    clients = {player.pk: Client() for player in players}
    for player in players:
        clients[player.pk].cookies["guest"] = sessions.issue_guest_token(player)
        clients[player.pk].get(reverse("games:table", args=[game.public_id]))
    took = []
    for _ in range(8):
        game.refresh_from_db()
        player = who_is_asked(game)
        action = advised(game, player)
        took.append(queries_of(lambda who=player, what=action: post(clients[who.pk], game, action=what))[1])
        other = next(one for one in players if one != player)
        url = reverse("games:since", args=[game.public_id, game.number])
        seen, queries = queries_of(lambda who=other, url=url: clients[who.pk].get(url))
        assert seen.status_code == 200
        assert len(queries) <= 6, "\n".join(queries)
    # Each player's first action of the day and of the visit is noted once.
    assert all(len(queries) <= 14 for queries in took[4:]), "\n".join(took[-1])
    assert not [sql for queries in took for sql in queries if sql.startswith("SELECT") and '"games_action"' in sql]


def test_leaving_asks_once_and_then_ends_the_game():
    game, _player, client = sitting()
    asked = client.get(reverse("games:leave", args=[game.public_id]))
    assert asked.status_code == 200
    game.refresh_from_db()
    assert game.status == Game.Status.PLAYING
    answer = post(client, game, view="leave", headers={})
    game.refresh_from_db()
    assert answer.status_code == 303
    assert game.status == Game.Status.RESIGNED


def test_who_would_leave_reads_that_this_hand_does_not_count_only_while_one_is_played():
    game, _player, client = sitting()

    def asked():
        return client.get(reverse("games:leave", args=[game.public_id])).content.decode()

    assert "The game ends here for everybody, and this hand is not counted." in asked()
    rush(game)
    between = asked()
    assert "The game ends here for everybody. It cannot be taken up again." in between
    assert "this hand" not in between


def test_the_settings_at_the_table_are_the_players_preferences_and_lead_back_to_it():
    game, player, client = sitting()
    page = client.get(reverse("games:settings", args=[game.public_id])).content.decode()
    assert '<option value="at-once" selected>' in page
    wished = {"bot_speed": "slow", "hand_order": "low", "trumps_first": "on", "sounds": "on"}
    answer = post(client, game, view="settings", headers={}, **wished)
    assert (answer.status_code, answer["Location"]) == (303, f"/g/{game.public_id}/")
    kept = Player.objects.get(pk=player.pk)
    assert (kept.bot_speed, kept.hand_order, kept.trumps_first, kept.sounds) == ("slow", "low", True, True)
    renewed = post(client, game, view="settings", bot_speed="quick", hand_order="high").content.decode()
    assert renewed.lstrip().startswith('<div id="table"')
    assert 'data-sounds="no"' in renewed


def test_settings_that_cannot_be_and_those_of_others_are_refused():
    game, player, client = sitting()
    assert post(client, game, view="settings", bot_speed="warp", hand_order="high").status_code == 422
    assert Player.objects.get(pk=player.pk).bot_speed == "at-once"
    stranger = Client()
    stranger.cookies["guest"] = sessions.issue_guest_token(person())
    for client in (stranger, Client()):
        assert client.get(reverse("games:settings", args=[game.public_id])).status_code == 403
        assert post(client, game, view="settings", bot_speed="slow", hand_order="high").status_code == 403


def test_a_hand_is_laid_out_with_the_trumps_first_or_last():
    game, player, client = sitting(options={"throw_in": False})
    seat = seat_of(game, player)
    rush(game, until=lambda hand: hand.turn == seat and hand.asked == "play")  # before, no cards may be dealt
    orders = []
    for trumps_first in (False, True):
        Player.objects.filter(pk=player.pk).update(trumps_first=trumps_first)
        page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
        orders.append(re.findall(r'id="card-(\w+)"', page))
    trumps = [code for code in orders[0] if code[0] in "TF"]
    assert trumps
    assert orders[0][-len(trumps) :] == trumps == orders[1][: len(trumps)]
    assert sorted(orders[0]) == sorted(orders[1])


def test_each_suit_of_a_hand_lies_where_its_player_likes_it_as_soon_as_they_say_so():
    game, player, client = sitting(options={"throw_in": False})
    rush(game, until=lambda hand: hand.asked == "play")
    page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
    letters = {code[0] for code in re.findall(r'id="card-(\w+)"', page)}
    game.refresh_from_db()
    shown = post(client, game, view="settings", bot_speed="at-once", hand_order="high", suit_order="BSOC")
    suits = list(dict.fromkeys(code[0] for code in re.findall(r'id="card-(\w+)"', shown.content.decode())))
    assert len(suits) > 2
    assert suits == [letter for letter in "BSOCTF" if letter in letters]
    post(client, game, view="settings", bot_speed="quick", hand_order="high")
    assert Player.objects.get(pk=player.pk).suit_order == "BSOC", "what is not sent stays"
    for wrong in ("BSO", "BSOO", "BSOCT"):
        refused = post(client, game, view="settings", bot_speed="quick", hand_order="high", suit_order=wrong)
        assert refused.status_code == 422
    page = client.get(reverse("games:settings", args=[game.public_id])).content.decode()
    assert '<option value="BSOC" selected>batons, swords, coins, cups</option>' in page


def test_a_finished_hand_can_be_looked_at_step_by_step_by_anybody():
    player = person()
    # Where a side far behind may ask for the unshuffled deal, the hand stays closed until that is settled.
    game = laid(player, options={"throw_in": False, "demands": False})
    play_hand(game, player)
    url = reverse("games:replay", args=[game.public_id, 1])
    for asked in ("", "?step=0", "?step=40", "?step=99999", "?step=x"):
        assert Client().get(url + asked).status_code == 200


def test_a_running_hand_cannot_be_looked_back_at():
    game, _player, client = sitting()
    assert client.get(reverse("games:replay", args=[game.public_id, 1])).status_code == 404
    assert client.get(reverse("games:record", args=[game.public_id])).json()["hands"] == []


def test_the_record_of_a_game_replays_to_its_totals():
    player = person()
    game = laid(player, draws_partners=True)
    play_out(game, player)
    text = Client().get(reverse("games:record", args=[game.public_id])).content
    assert replay(parse_record(text)).totals == game.totals
    data = json.loads(text)
    assert len(data["proof"]) == game.hands.count()
    drawn = data["draw"]
    assert shuffle.verify(shuffle.Proof.from_json(drawn["proof"]), drawn["pack"].split()) == []
    for hand, proof in zip(data["hands"], data["proof"], strict=True):
        assert shuffle.verify(shuffle.Proof.from_json(proof), hand["pack"].split()) == []


def test_the_front_page_lists_open_games_first_those_that_wait():
    game, _player, client = sitting()
    page = client.get("/en/").content.decode()
    assert f"/g/{game.public_id}/" in page
    assert "Your turn" in page
    assert f"/g/{game.public_id}/" not in Client().get("/en/").content.decode()


def test_the_front_page_says_that_no_account_is_needed_only_to_who_may_have_none(django_user_model):
    client = Client()
    assert "No account. A game is four hands" in client.get("/en/").content.decode()
    client.force_login(django_user_model.objects.create(email="onna@example.org"))
    page = client.get("/en/").content.decode()
    assert "A game is four hands" in page
    assert "No account." not in page


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_every_page_opens_in_every_language(language):
    game, _player, client = sitting()
    client.cookies["language"] = language
    for url in (f"/{language}/", f"/{language}/fair/", f"/g/{game.public_id}/", f"/g/{game.public_id}/why/"):
        assert client.get(url).status_code == 200


def test_an_explanation_whose_heading_is_a_question_has_no_colon_behind_the_question_mark():
    player = person()
    game = play.start("troggu-graechen", [player, *computers.computer_players(4)])
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    while game.status == Game.Status.PLAYING:
        sit(game, player)
        rush(game, until=lambda hand: hand.asked == "packets" and hand.turn == seat_of(game, player))
        if game.to_act is not None:
            break
    page = client.get(f"/g/{game.public_id}/why/").content.decode()
    assert "<em>How shall the cards be dealt?</em> The Tapp" in page
