"""The API for programs: who may ask, what they are told, and how a game is played through it."""

from __future__ import annotations

import random
import re
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from openapi_spec_validator import validate

from accounts import tokens
from accounts.models import Player
from accounts.tokens import PLAY, READ, TABLES
from domain.engine import CODES, codes, ruleset
from domain.engine.legal import LegalArrangement, LegalChoice, LegalCut, LegalPlays
from games import read_models
from games.api import base, schemas
from games.api.schemas import legal_of
from games.lobby.models import OpenTable, TableEvent
from games.management.commands import openapi
from games.models import Action, Game
from games.selectors import replay
from games.selectors import rulesets as choosing
from games.selectors import table as table_selector
from games.table import tasks
from tests.games import store_kit, table_kit
from tests.games.api_kit import API, Program, member
from tests.games.lobby_kit import LIVE
from tests.games.test_watching_list import running

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    return Program(member())


def any_action(legal: dict, chance: random.Random) -> str:
    """Something legal, chosen by the words of the description alone."""
    if legal["kind"] == "number":
        return f"{legal['verb']} {chance.randint(legal['low'], legal['high'])}"
    if legal["kind"] == "cards":
        return " ".join([legal["verb"], *chance.sample(legal["cards"], legal["count"])])
    if legal["kind"] == "arrange":
        return "arrange"
    assert legal["kind"] == "one-of"
    return str(chance.choice(legal["actions"]))


def wait(game: str) -> None:
    """Let the computer players act until a person is asked."""
    while tasks.do_due(timezone.now() + timedelta(seconds=10)):
        pass


# who may ask


def test_without_a_token_nothing_is_told(client):
    for path in ("/me", "/games", "/games/zzz", "/tables", "/events"):
        answer = client.get(API + path)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert answer.json()["code"] == "no-token"


def test_a_session_counts_for_nothing(client, program):
    client.force_login(program.player.user)
    assert client.get(f"{API}/me").status_code == 401


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic x", "Bearer troccas_" + "x" * 43, "troccas_x"])
def test_other_words_are_no_token(client, header):
    assert client.get(f"{API}/me", headers={"Authorization": header}).status_code == 401


def test_a_token_that_is_revoked_or_expired_opens_nothing(program):
    token = tokens.living(program.player).get()
    program.ask("/me")
    tokens.revoke_token(program.player, token.pk)
    program.ask("/me", 401)


@pytest.mark.parametrize(
    ("scopes", "method", "path", "body"),
    [
        ((READ,), "post", "/games", {"ruleset": "troccas"}),
        ((READ, TABLES), "post", "/games", {"ruleset": "troccas"}),
        ((READ,), "patch", "/me", {"computers_speed": "slow"}),
        ((READ, PLAY), "post", "/tables", {"ruleset": "troccas", "request_id": str(uuid.UUID(int=1))}),
    ],
)
def test_a_token_without_the_scope_gets_a_sentence(scopes, method, path, body):
    program = Program(member(), scopes)
    told = program.send(path, 403, body, method)
    assert told["code"] == "scope-missing"
    assert "games:play" in told["detail"] or "tables:write" in told["detail"]
    assert not Game.objects.exists()


def test_problems_speak_the_readers_language(at_table):
    other = Program(member("Other"))
    path = f"/games/{at_table.public_id}/leave"
    other.headers["Accept-Language"] = "de"
    german = other.say(path, 403)["detail"]
    assert german.startswith("Du sitzt nicht an diesem Tisch")
    other.headers["Accept-Language"] = "en"
    assert other.say(path, 403)["detail"].startswith("You do not sit at this table")
    del other.headers["Accept-Language"]
    other.player.language = "de"
    other.player.save()
    assert other.say(path, 403)["detail"] == german


def test_too_many_requests_are_told_when_to_go_on(program, monkeypatch):
    monkeypatch.setattr(base, "BURST", 3)
    monkeypatch.setattr(base, "A_MINUTE", 0.1)
    for _ in range(3):
        program.ask("/me")
    answer = program.client.get(f"{API}/me", headers=program.headers)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["code"] == "too-fast"


def test_strangers_are_counted_by_their_address(client, monkeypatch):
    monkeypatch.setattr(base, "STRANGERS_A_MINUTE", 1)
    answers = [client.get(f"{API}/rulesets/nowhere").status_code for _ in range(2)]
    assert answers == [404, 404]  # what is not there costs nothing
    assert [client.get(f"{API}/talk").status_code for _ in range(2)] == [200, 429]


def test_pages_of_other_sites_may_ask_with_a_token(client):
    answer = client.options(f"{API}/games/zzz/act")
    assert answer.status_code == 204
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in answer["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer


def test_an_answer_without_a_body_is_private_and_of_no_kind():
    program = Program(member(), (tokens.NOTICE,))
    sent = program.client.post(f"{API}/notices/read", {}, "application/json", headers=program.headers)
    for answer in (sent, program.client.options(f"{API}/games")):
        assert answer.status_code == 204
        assert "Content-Type" not in answer
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("get", "/nowhere", 404), ("post", "/nowhere", 404), ("put", "/games", 405), ("delete", "/me", 405)],
)
def test_what_there_is_not_is_said_as_a_problem(client, method, path, status):
    answer = getattr(client, method)(API + path)
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("application/problem+json")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        '{"action": "play CK"}',
        '{"action": 5, "expected": 0, "request_id": "x"}',
        b"\xff\xfe{}",
        "{" * 5000,
        "[" * 100_000,
        '{"a":' * 20_000,
        '{"action":' + "[" * 50_000 + "]" * 50_000 + ',"expected":0,"request_id":"x"}',
        '{"action": "play CK", "expected": 1' + "0" * 5000 + ', "request_id": "x"}',
    ],
)
def test_what_cannot_be_read_changes_nothing(program, body):
    game = program.send("/games", 201, {"ruleset": "troccas"})["public_id"]
    before = Game.objects.get(public_id=game).number
    told = program.send(f"/games/{game}/act", 400, body)
    assert told["code"] == "unreadable"
    assert told["errors"], "they say which parts"
    assert Game.objects.get(public_id=game).number == before


def test_what_is_too_large_is_told_to_be_so(program):
    told = program.send("/games", 400, {"ruleset": "x" * 300_000})
    assert (told["code"], told["detail"]) == ("unreadable", "The request is too large: at most 256 kB.")
    assert [wrong["where"] for wrong in told["errors"]] == ["body"]


def test_games_worth_watching_are_listed_with_their_pace(program):
    game = running("troccas-3", pace=LIVE)
    found = program.ask("/watch")["results"]
    assert [(row["public_id"], row["pace"], row["live"]) for row in found] == [(game.public_id, "live", True)]


# its description


def test_what_programs_rely_on_is_kept_as_a_file():
    kept = base.DESCRIPTION.read_text(encoding="utf-8")
    assert kept == openapi.description(), "write it anew with `manage.py openapi`, and see what has changed"


def test_its_description_is_valid_openapi(client):
    described = client.get(f"{API}/openapi.json").json()
    validate(described)
    assert f"{API}/games/{{key}}/act" in described["paths"]
    for methods in described["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert operation["description"]
            for status, answer in operation["responses"].items():
                wanted = "application/problem+json" if int(status) >= 400 else None
                assert wanted is None or wanted in answer["content"]


WHOLE: dict[Any, tuple[Any, set[str], set[str]]] = {
    schemas.GameOut: (read_models.Sight, {"url", "prompt", "legal", "hint"}, set()),
    schemas.SeatOut: (read_models.SeatSeen, set(), set()),
    schemas.CardOut: (read_models.CardSeen, set(), set()),
    schemas.TrickOut: (read_models.TrickSeen, set(), set()),
    schemas.TrickCardOut: (read_models.TrickCard, set(), set()),
    schemas.SheetOut: (read_models.HandSheet, set(), set()),
    schemas.LineOut: (read_models.Line, {"text"}, set()),
    schemas.SatOut: (read_models.Sat, set(), set()),
    schemas.SealedOut: (read_models.Sealed, set(), set()),
    schemas.ClockOut: (read_models.ClockSeen, set(), set()),
    schemas.UndoOut: (read_models.UndoSeen, set(), set()),
    # What may be answered is told anew by `legal`.
    schemas.QuestionOut: (read_models.Question, set(), {"choices", "most", "choose", "pile", "fool", "calls"}),
}


@pytest.mark.parametrize("shape", WHOLE)
def test_programs_are_told_all_that_pages_know(shape):
    """A new part of the view has to be told to programs as well, in `games.api.schemas`."""
    view, added, left_out = WHOLE[shape]
    assert set(shape.model_fields) - added == set(view.__dataclass_fields__) - left_out


def test_what_everybody_may_know(client):
    rulesets = client.get(f"{API}/rulesets").json()["rulesets"]
    assert [each["id"] for each in rulesets] == list(choosing.ORDER)
    cards = client.get(f"{API}/cards").json()
    assert len({card["code"] for card in cards}) == 78
    assert {"code": "CK", "name": "King of cups", "suit": "C", "points": 5} in cards
    assert len(client.get(f"{API}/talk").json()) > 20


# what may be done, as data


@pytest.mark.parametrize("known", choosing.ORDER)
@pytest.mark.slow(but="troccas")
def test_legal_says_exactly_what_the_engine_allows(known):
    rules = ruleset(known)
    options = {"knock": True} if known == "troccas" else {}
    for seed, size in enumerate(sorted({rules.sizes[0], rules.sizes[-1]})):
        at = ruleset(known, None, size)
        for steps in range(0, 130, 11):
            hand = store_kit.random_hand(seed, steps + steps % 7, options, at)
            if hand.over:
                break
            assert expanded(told_legal(hand, at)) == allowed(hand), (size, steps)


def told_legal(hand, rules) -> dict:
    players = [Player.objects.create(name=f"P{number}") for number in range(rules.seats)]
    game = store_kit.store(hand, players)
    assert legal_of(table_selector.sight_of(game, players[hand.turn - 1]))["kind"] == "none"
    return legal_of(table_selector.sight_of(game, players[hand.turn]))


def expanded(legal: dict) -> object:
    """All actions that the answer stands for, so that they can be compared."""
    if legal["kind"] == "number":
        return [f"{legal['verb']} {number}" for number in range(legal["low"], legal["high"] + 1)]
    if legal["kind"] == "cards":
        return (legal["verb"], legal["count"], set(legal["cards"]), set(legal["together"]), legal["actions"])
    if legal["kind"] == "arrange":
        return legal["cards"]
    return set(legal["actions"])


def allowed(hand) -> object:
    legal = hand.legal
    if isinstance(legal, LegalCut):
        return [str(action) for action in legal]
    if isinstance(legal, LegalChoice):
        return (
            legal.verb,
            legal.count,
            set(codes(legal.cards)),
            set(codes(legal.together)),
            [str(a) for a in legal.otherwise],
        )
    if isinstance(legal, LegalArrangement):
        return [CODES[card] for card in legal.pile]
    actions = {str(action) for action in legal}
    if isinstance(legal, LegalPlays):
        actions |= {f"play {code} knock" for code in codes(legal.knocks)}
    return actions


# playing


def test_who_one_is(program):
    told = program.ask("/me")
    assert (told["player"], told["name"], told["waiting"]) == (program.player.public_id, "Onna", 0)
    assert told["token"]["scopes"] == [READ, PLAY, TABLES]
    assert program.send("/me", 200, {"computers_speed": "slow"}, "patch")["computers_speed"] == "slow"
    program.player.refresh_from_db()
    assert program.player.bot_speed == "slow"


@pytest.mark.slow
def test_a_program_plays_a_game_to_its_end_without_knowing_a_rule(program):
    chance = random.Random(17)
    game = program.send("/games", 201, {"ruleset": "troccas", "options": {"hands": 1, "throw_in": False}})
    key = game["public_id"]
    for _ in range(200):
        wait(key)
        game = program.ask(f"/games/{key}")
        if game["status"] != "playing":
            break
        legal = game["legal"]
        if legal["kind"] == "ready":
            done = program.say(f"/games/{key}/ready", expected=game["number"], entropy="0" * 32)
        else:
            done = program.say(f"/games/{key}/act", expected=game["number"], action=any_action(legal, chance))
        assert done["number"] > game["number"] - 1
        assert done["game"]["number"] >= done["number"]
    assert game["status"] == "finished"
    record = program.ask(f"/games/{key}/record")
    assert record == replay.record(Game.objects.get(public_id=key)).to_json()
    assert len([hand for hand in record["hands"] if hand["actions"]]) >= 1
    (line,) = program.ask("/games", which="over")["results"]
    assert (line["public_id"], line["totals"]) == (key, game["totals"])
    assert program.ask("/games")["count"] == 0


@pytest.fixture
def at_table(program: Program) -> Game:
    """A game in which the program is asked."""
    game = table_kit.laid(program.player)
    table_kit.sit(game, program.player)
    table_kit.wait(game, program.player)
    game.refresh_from_db()
    return game


def test_the_api_tells_what_the_page_knows(program, at_table):
    told = program.ask(f"/games/{at_table.public_id}")
    whole = table_selector.sight_of(at_table, program.player).as_json()
    for name, value in whole.items():
        if name not in ("options", "lines", "question", "created_at"):
            assert told[name] == value, name
    assert [line["number"] for line in told["lines"]] == [line["number"] for line in whole["lines"]]
    assert told["prompt"]


def test_a_watcher_gets_the_watchers_view(at_table):
    watcher = Program(member("Watcher"), (READ,))
    told = watcher.ask(f"/games/{at_table.public_id}")
    assert (told["viewer"], told["cards"], told["legal"]["kind"]) == (None, [], "none")


def test_a_repeated_request_is_done_once(program, at_table):
    game = program.ask(f"/games/{at_table.public_id}")
    body = {
        "request_id": str(uuid.uuid4()),
        "expected": game["number"],
        "action": any_action(game["legal"], random.Random(1)),
    }
    first = program.send(f"/games/{at_table.public_id}/act", 200, body)
    again = program.send(f"/games/{at_table.public_id}/act", 200, body)
    assert (first["number"], first["at"]) == (again["number"], again["at"])
    assert Action.objects.filter(game=at_table, request_id=body["request_id"]).count() == 1
    other = body | {"action": "cut 17" if body["action"] != "cut 17" else "cut 18"}
    assert program.send(f"/games/{at_table.public_id}/act", 422, other)["code"] == "request-reused"


def test_an_older_table_is_answered_with_the_present_one(program, at_table):
    told = program.say(f"/games/{at_table.public_id}/act", 409, expected=0, action="play CK")
    assert told["code"] == "stale"
    assert told["game"]["number"] == at_table.number
    assert told["game"]["viewer"] is not None


def test_a_rule_that_forbids_something_is_named(program, at_table):
    told = program.say(f"/games/{at_table.public_id}/act", 422, expected=at_table.number, action="give")
    assert told["code"] == "illegal"
    assert told["why"]["rule"]
    assert told["detail"]
    assert told["game"] is None


@pytest.mark.parametrize("action", ["fly", "play ZZ", "cut x", 'veto "a', "play CK\nplay CQ"])
def test_what_is_no_action_is_malformed(program, at_table, action):
    told = program.say(f"/games/{at_table.public_id}/act", 400, expected=at_table.number, action=action)
    assert told["code"] == "malformed"
    assert [error["where"] for error in told["errors"]] == ["action"]
    assert "eload" not in told["detail"], "a program has no page"


def test_who_does_not_sit_there_does_not_act(at_table):
    other = Program(member("Other"))
    for path, body in (("act", {"action": "pass", "expected": 1}), ("ready", {"expected": 1}), ("leave", {})):
        assert other.say(f"/games/{at_table.public_id}/{path}", 403, **body)["code"] == "not-your-seat"


def test_leaving_ends_the_game(program, at_table):
    assert program.say(f"/games/{at_table.public_id}/leave")["game"]["status"] == "resigned"


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        ({"ruleset": "poker"}, 404, ""),
        ({"ruleset": "troggu", "size": 12}, 422, "size"),
        ({"ruleset": "troccas", "options": {"fly": True}}, 422, "options.fly"),
        ({"ruleset": "troccas", "options": {"hands": 0}}, 422, "hands"),
        ({"ruleset": "troccas", "options": {"talk": "loud"}}, 422, "talk"),
        ({"ruleset": "troccas", "options": {"knock": "yes"}}, 422, "options.knock"),
        ({"ruleset": "troccas", "seats": 4}, 400, "seats"),
    ],
)
def test_a_game_that_there_is_not_is_not_begun(program, body, status, where):
    told = program.send("/games", status, body)
    assert not where or where in {wrong["where"] for wrong in told["errors"]}
    assert not Game.objects.exists()


def test_the_same_table_is_not_laid_twice_while_it_waits(program):
    first, again = (program.send("/games", 201, {"ruleset": "troggu"}) for _ in range(2))
    assert first["public_id"] == again["public_id"]


def test_lists_of_games(program, at_table):
    waiting = program.ask("/games", which="waiting")
    assert [row["public_id"] for row in waiting["results"]] == [at_table.public_id]
    assert waiting["results"][0]["waits"] is True
    assert program.ask("/games", page=2)["results"] == []
    assert program.ask("/games", 400, which="lost")["errors"][0]["where"] == "which"


# following


def test_a_stream_tells_the_number_at_once(program, at_table):
    ((event, number, data),) = program.events(f"/games/{at_table.public_id}/events")
    assert (event, number) == ("game", str(at_table.number))
    assert data == {"game": at_table.public_id, "number": at_table.number, "status": "playing"}


def test_a_stream_goes_on_after_the_last_event(program, at_table):
    program.headers["Last-Event-ID"] = str(at_table.number)
    assert program.events(f"/games/{at_table.public_id}/events") == []
    program.headers["Last-Event-ID"] = str(at_table.number - 1)
    assert len(program.events(f"/games/{at_table.public_id}/events")) == 1


def test_a_stream_may_carry_the_game(program, at_table):
    ((_event, _number, data),) = program.events(f"/games/{at_table.public_id}/events", state="true")
    assert data["state"] == program.ask(f"/games/{at_table.public_id}")


def test_the_stream_of_a_game_that_is_over_ends(program, at_table):
    program.say(f"/games/{at_table.public_id}/leave")
    told = program.events(f"/games/{at_table.public_id}/events")
    assert [event for event, _number, _data in told] == ["game", "end"]
    assert told[0][2]["status"] == "resigned"


def test_the_list_of_games_can_be_followed(program, at_table):
    ((event, _number, data),) = program.events("/events")
    assert (event, data) == ("games", {"waiting": 1})


def test_so_many_streams_and_no_more(program, at_table, monkeypatch):
    monkeypatch.setattr("games.api.following.AT_ONCE", 1)
    path = f"{API}/games/{at_table.public_id}/events"
    held = program.client.get(path, headers=program.headers)  # never read, so its place stays taken
    refused = program.client.get(path, headers=program.headers)
    assert refused.status_code == 429
    assert refused.json()["code"] == "too-many-streams"
    held.close()


# tables


def lay(host: Program, **how) -> dict:
    return host.say("/tables", 201, **({"ruleset": "troccas-3"} | how))


def test_people_find_a_table_and_play(program):
    other, third = Program(member("Beat")), Program(member("Clau"))
    table = lay(program, note="come in")
    (found,) = other.ask("/tables", ruleset="troccas-3")["results"]
    assert (found["public_id"], found["note"], found["free"]) == (table["public_id"], "come in", 2)
    assert found["pace"]["kind"] == "live"
    key = table["public_id"]
    assert other.say(f"/tables/{key}/join", seat=2)["sits"] is True
    assert other.events(f"/tables/{key}/events")[0][2]["state"] == "waiting"
    begun = third.say(f"/tables/{key}/join")
    assert begun["state"] == "started"
    assert other.events(f"/tables/{key}/events")[-1][0] == "end"
    game = third.ask(f"/games/{begun['game']}")
    assert [seat["name"] for seat in game["seats"]] == ["Program Onna", "Program Clau", "Program Beat"]
    assert game["clock"]["kind"] == "live"


def test_what_a_host_can_do(program):
    other, third = Program(member("Beat")), Program(member("Clau"))
    key = lay(program, entry="invited", host_starts=True)["public_id"]
    assert other.say(f"/tables/{key}/join", 403)["code"] == "invited-only"
    program.say(f"/tables/{key}/invite", player=other.player.public_id, seat=1)
    program.say(f"/tables/{key}/invite", player=third.player.public_id)
    assert [row["public_id"] for row in other.ask("/tables/mine")["invitations"]] == [key]
    assert third.say(f"/tables/{key}/decline")["invited"] is False
    assert other.say(f"/tables/{key}/join")["chairs"][1]["own"] is True
    assert other.say(f"/tables/{key}/start", 403)["code"] == "not-host"
    other.say(f"/tables/{key}/move", seat=2)
    program.say(f"/tables/{key}/remove", seat=2)
    assert other.say(f"/tables/{key}/join", 403)["code"] == "sent-away"
    program.say(f"/tables/{key}/computer", seat=1)
    assert program.say(f"/tables/{key}/start")["game"]


def test_leaving_and_closing_a_table(program):
    other = Program(member("Beat"))
    key = lay(program)["public_id"]
    other.say(f"/tables/{key}/join")
    other.say(f"/tables/{key}/leave")
    assert program.say(f"/tables/{key}/close")["state"] == "closed"
    assert other.say(f"/tables/{key}/join", 409)["code"] == "table-gone"


def test_the_host_lets_a_table_wait_longer_when_its_end_is_near(program):
    key = lay(program)["public_id"]
    assert program.say(f"/tables/{key}/extend", 422)["code"] == "waits-long-enough"
    near = timezone.now() + timedelta(seconds=5)
    OpenTable.objects.filter(public_id=key).update(expires_at=near)
    TableEvent.objects.filter(table__public_id=key, text="laid").update(at=near - timedelta(days=3))
    assert datetime.fromisoformat(program.say(f"/tables/{key}/extend")["expires_at"]) > near + timedelta(days=2)


@pytest.mark.parametrize("path", ["/games", "/tables"])
def test_the_size_of_a_game_with_one_size_may_be_sent_and_no_other(program, path):
    body = {"ruleset": "troccas-3"} | ({"request_id": str(uuid.uuid4())} if path == "/tables" else {})
    told = program.send(path, 422, body | {"size": 7})
    assert [wrong["where"] for wrong in told["errors"]] == ["size"]
    program.send(path, 201, body | {"size": 3})


def test_a_repeated_request_lays_one_table(program):
    body = {"ruleset": "troccas-3", "request_id": str(uuid.uuid4())}
    assert program.send("/tables", 201, body)["public_id"] == program.send("/tables", 201, body)["public_id"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"pace": "live", "weekends": False}, "weekends"),
        ({"action": 1}, "action"),
        ({"computers": 3}, "computers"),
        ({"wait": 5}, "wait"),
        ({"language": "xx"}, "language"),
        ({"seating": "draw"}, "seating"),
        ({"options": {"hands": 99}}, "hands"),
    ],
)
def test_a_table_that_cannot_be_is_not_laid(program, body, where):
    told = program.say("/tables", 422, **({"ruleset": "troccas-3"} | body))
    assert where in {wrong["where"] for wrong in told["errors"]}
    assert program.ask("/tables/mine")["tables"] == []


def test_somebody_without_a_name_gives_one_first():
    nameless = Program(member(""))
    assert nameless.say("/tables", 422, ruleset="troccas-3")["errors"][0]["where"] == "name"


def test_once_more_with_the_same_people(program):
    other = Program(member("Beat"))
    key = lay(program, computers=1)["public_id"]
    game = other.say(f"/tables/{key}/join")["game"]
    program.say(f"/games/{game}/rematch", 422)
    for one in (other, program):
        one.say(f"/games/{game}/leave")
        if Game.objects.get(public_id=game).status != "playing":
            break
    table = program.say(f"/games/{game}/rematch")
    assert table["state"] == "waiting"
    assert other.ask("/tables/mine")["invitations"][0]["public_id"] == table["public_id"]


def test_every_problem_has_a_place_on_the_page_it_names(client: Client):
    told = client.get(f"{API}/nowhere").json()
    assert told["type"].endswith(f"#problem-{told['code']}")
    assert f"{API}/" == base.PATH


# its pages


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_the_guide_names_every_problem_and_scope(client, language):
    page = client.get(f"/{language}/api/")
    assert page.status_code == 200
    for scope in tokens.SCOPES:
        assert scope in page.text
    for code in ("stale", "illegal", "no-token", "scope-missing", "too-fast", "unusable", "closed-table"):
        assert f'id="problem-{code}"' in page.text
    assert page.text.count('id="problem-') == len(set(re.findall(r'id="problem-[^"]+', page.text)))


def test_the_reference_has_every_operation_and_every_shape(client):
    page = client.get("/en/api/reference/").text
    described = client.get(f"{API}/openapi.json").json()
    for path in described["paths"]:
        assert f"<code>{path}</code>" in page
    for shape in described["components"]["schemas"]:
        assert f'id="shape-{shape}"' in page
    for target in re.findall(r'href="#(shape-[^"]+)"', page):
        assert f'id="{target}"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_document_names_what_there_is(client):
    told = (base_dir() / "docs" / "api.md").read_text(encoding="utf-8")
    described = client.get(f"{API}/openapi.json").json()
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path.removeprefix(API)}`" in told
    for scope in tokens.SCOPES:
        assert f"`{scope}`" in told


def test_the_example_can_be_had_as_it_lies_in_the_source(client):
    answer = client.get(f"{API}/example_player.py")
    assert answer["Content-Type"].startswith("text/plain")
    assert answer.text == (base_dir() / "docs" / "example_player.py").read_text(encoding="utf-8")


def test_the_format_of_records_is_told_where_records_are_given(client):
    address = f"{API}/record-format.md"
    assert f'href="{address}"' in client.get("/en/api/").text
    answer = client.get(address)
    assert answer["Content-Type"].startswith("text/markdown")
    assert answer.text == (base_dir() / "docs" / "record-format.md").read_text(encoding="utf-8")
    assert address in client.get(f"{API}/openapi.json").json()["components"]["schemas"]["RecordOut"]["description"]


@pytest.mark.parametrize(
    "shape",
    [
        "GameOut", "Legal", "CardOut", "SeatOut", "TrickOut", "TrickCardOut", "QuestionOut", "WhyOut", "SaidOut", "HappenedOut",
        "TappOut", "LineOut", "SatOut", "SheetOut", "SealedOut", "ClockOut", "ProposalOut", "UndoOut", "EndOut",
        "LayIn", "TableOut", "TableLineOut", "ChairOut", "InvitedOut", "PaceOut", "GameLineOut", "PersonOut",
        "RulesetOut", "OptionOut", "TimesOut", "PaceChoice", "RecordOut", "RecordedHandOut", "WebhookOut", "NewWebhookOut",
    ],
)  # fmt: skip
def test_what_a_program_plays_by_is_described_field_by_field(client, shape):
    described = client.get(f"{API}/openapi.json").json()["components"]["schemas"]
    bare = [
        name
        for name, field in described[shape]["properties"].items()
        if "description" not in field and "#/components/schemas/" not in str(field)
    ]
    assert bare == []


def test_a_description_names_only_fields_that_there_are(client):
    legal = client.get(f"{API}/openapi.json").json()["components"]["schemas"]["Legal"]
    named = set(re.findall(r"(?:from|rest of|of) `([a-z]+)`", legal["description"]))
    assert named
    assert named <= set(legal["properties"])


def base_dir() -> Path:
    return Path(__file__).resolve().parents[2]
