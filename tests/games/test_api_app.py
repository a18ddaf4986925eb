"""What an app does beside playing cards, by the API: time, plans, chats, notes, notices, hours, watching."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tokens import CHAT, NOTICE, PLAY, PROFILE, READ, TABLES
from games.plans.language import read_plan
from games.plans.models import Plans
from games.services import timing
from notices import outbox
from notices.models import Outbox
from tests.games import chat_kit, pace_kit, plans_kit
from tests.games.api_kit import Program

pytestmark = pytest.mark.django_db

ALL = (PLAY, TABLES, CHAT, NOTICE, PROFILE)


@pytest.fixture
def people():
    return [chat_kit.member(name) for name in ("Anna", "Beat", "Clau", "Duri")]


@pytest.fixture
def programs(people):
    return [Program(player, ALL) for player in people]


@pytest.fixture
def game(people):
    return pace_kit.table(people)


def path_of(game):
    return f"/games/{game.public_id}"


@pytest.mark.parametrize(
    ("scopes", "method", "path", "body", "missing"),
    [
        ((), "post", "back", {}, PLAY), ((), "post", "pause", {"until": "2027-01-01T00:00:00Z"}, PLAY), ((), "post", "resume", {}, PLAY),
        ((), "post", "live", {}, PLAY), ((), "post", "days", {}, PLAY), ((), "post", "more-time", {"seat": 1, "seconds": 90_000}, PLAY),
        ((), "post", "ask-substitute", {"seat": 1}, PLAY), ((PLAY,), "post", "substitute", {"seat": 1}, TABLES),
        ((), "get", "plans", None, PLAY), ((), "post", "plans", {"lines": []}, PLAY), ((), "post", "talk", {"rounds": []}, PLAY),
        ((PLAY, TABLES), "get", "chat", None, CHAT), ((PLAY,), "post", "chat", {"text": "x"}, CHAT),
        ((PLAY,), "get", "notes", None, CHAT), ((PLAY,), "post", "notes", {"text": "x"}, CHAT),
        ((PLAY,), "get", "/notices", None, NOTICE), ((PLAY,), "post", "/notices/read", {}, NOTICE),
        ((PLAY,), "get", "/calendar", None, NOTICE), ((PLAY,), "post", "/calendar", {"on": True}, NOTICE),
        ((PLAY,), "get", "/hours", None, PROFILE), ((PLAY,), "post", "/hours", {"week": [None] * 7}, PROFILE),
    ],
)  # fmt: skip
def test_each_needs_its_scope_and_changes_nothing_without(people, game, scopes, method, path, body, missing):
    program = Program(people[0], scopes)
    address = path if path.startswith("/") else f"{path_of(game)}/{path}"
    number = game.number
    told = program.ask(address, 403) if method == "get" else program.send(address, 403, body)
    assert (told["code"], missing in told["detail"]) == ("scope-missing", True)
    game.refresh_from_db()
    assert game.number == number


def test_one_comes_back_after_the_time_ran_out(people, programs, game):
    late = pace_kit.asked(game)
    program = programs[people.index(late)]
    deadline = pace_kit.fresh(game).deadline_at
    assert timing.time_out(game.pk, expected=pace_kit.fresh(game).number, now=deadline)
    assert pace_kit.texts(game) == ["absent"]
    told = program.say(path_of(game) + "/back")
    assert told["game"]["legal"]["kind"] != "none"
    assert pace_kit.texts(game) == ["absent", "returned"]
    assert program.say(path_of(game) + "/back", 422)["code"] == "not-now"


def test_a_pause_is_proposed_agreed_on_and_ended(programs, game):
    until = (timezone.now() + timedelta(days=3)).isoformat()
    first, *others = programs
    first.say(path_of(game) + "/pause", until=until)
    assert others[0].ask(path_of(game))["clock"]["proposal"]["mine"]
    for other in others:
        told = other.say(path_of(game) + "/answer", about="pause", agree=True)
    assert told["game"]["clock"]["paused_until"]
    assert first.say(path_of(game) + "/resume")["game"]["clock"]["paused_until"] is None
    assert first.say(path_of(game) + "/resume", 422)["code"] == "not-now"
    soon = (timezone.now() + timedelta(minutes=3)).isoformat()
    assert first.say(path_of(game) + "/pause", 422, until=soon)["code"] == "too-much-time"
    assert first.say(path_of(game) + "/pause", 400, until="2027-01-01T00:00:00")["code"] == "unreadable"


def test_more_time_is_given_to_somebody_else_once(programs, game):
    body = {"seat": 1, "seconds": 86_400, "request_id": "6f1c3a2e-0000-4000-8000-000000000001"}
    giver = next(program for program in programs if program.ask(path_of(game))["viewer"] == 0)
    first = giver.send(path_of(game) + "/more-time", 200, body)
    again = giver.send(path_of(game) + "/more-time", 200, body)
    assert again["number"] == first["number"]
    assert game.actions.filter(text="more-time").count() == 1
    assert giver.say(path_of(game) + "/more-time", 422, seat=0, seconds=86_400)["code"] == "own-time"


def test_playing_on_live_is_offered_agreed_on_and_ended(programs, game):
    first, *others = programs
    first.say(path_of(game) + "/live")
    for other in others:
        told = other.say(path_of(game) + "/answer", about="live", agree=True)
    assert told["game"]["clock"]["live"]
    assert not first.say(path_of(game) + "/days")["game"]["clock"]["live"]


def test_a_plan_is_made_told_in_words_refused_where_it_cannot_be_and_taken_back(people, programs):
    game = plans_kit.at_position(people, lambda hand: hand.turn == 1 and hand.asked == "play" and not hand.trick)
    program = programs[0]
    path = path_of(game) + "/plans"
    told = program.send(path, 200, {"lines": [{"play": "cheapest"}], "at_once": True})
    assert told["lines"][0]["text"] == "In any case: your card worth least."
    assert told["lines"][0]["cards"].startswith("That is")
    assert (told["at_once"], told["lasts"], told["may_plan"]) == (True, False, True)
    assert read_plan(Plans.objects.get(player=people[0]).plan).at_once
    assert program.send(path, 422, {"lines": [{"play": "lowest", "led": "me"}]})["code"] == "nothing-led"
    told = program.send(path, 400, {"lines": [{"play": "C77"}]})
    assert (told["code"], told["errors"][0]["where"]) == ("malformed", "lines")
    assert programs[1].ask(path)["lines"] == []
    assert program.send(path, 200, {"lines": []})["lines"] == []
    assert Program(chat_kit.member("Emma"), ALL).ask(path, 403)["code"] == "not-your-seat"


def test_what_is_said_in_the_talk_is_planned(people, programs):
    game = pace_kit.table(people, options={"throw_in": True})
    told = programs[0].send(
        path_of(game) + "/talk", 200, {"rounds": ["veto", "unless"], "fewer": 4, "every_deal": True}
    )
    assert (told["rounds"], told["fewer"], told["every_deal"]) == (["veto", "unless"], 4, True)
    assert programs[0].send(path_of(game) + "/talk", 200, {"rounds": []})["rounds"] == []


def test_the_chat_is_written_read_and_agreed_on(programs, game):
    anna, beat, *others = programs
    path = path_of(game) + "/chat"
    anna.say(path, greeting="hello")
    told = anna.say(path, text="Guten Abend")
    assert [message["kind"] for message in told["channels"][0]["messages"]] == ["greeting", "said"]
    for other in others:
        other.send(path + "/propose", 200, {"mode": "open"})
    wish = beat.ask(path)["wish"]
    assert (wish["mode"], wish["asks"]) == ("open", True)
    for program in (anna, beat):
        answered = program.send(path + "/answer", 200, {"agree": True, "mode": "open"})
    assert (answered["mode"], answered["wish"]) == ("open", None)
    anna.say(path, text="Jetzt offen")
    last = beat.ask(path)["channels"][0]["messages"][-1]
    assert last["text"] == "Jetzt offen"
    assert beat.ask(path)["unread"] > 0
    assert (
        beat.client.post(
            "/api/v1/play" + path + "/read",
            {"up_to": last["id"]},
            content_type="application/json",
            headers=beat.headers,
        ).status_code
        == 204
    )
    assert beat.ask(path)["unread"] == 0
    told = anna.say(path, 400, text="a", greeting="hello")
    assert (told["code"], told["errors"][0]["where"]) == ("malformed", "text")
    assert anna.say(path, 400, greeting="hush")["errors"][0]["where"] == "greeting"
    assert anna.say(path, 422, text=" ")["code"] == "empty"


def test_notes_are_kept_for_their_writer_alone(programs, game):
    path = path_of(game) + "/notes"
    programs[0].send(path, 200, {"text": "Beat führt Trumpf", "hand": 1})
    assert programs[0].ask(path)[0]["text"] == "Beat führt Trumpf"
    assert programs[1].ask(path) == []
    assert programs[0].send(path, 200, {"text": "", "hand": 1}) == []
    told = programs[0].send(path, 400, {"text": "x", "hand": 7})
    assert (told["code"], told["errors"][0]["where"]) == ("malformed", "hand")
    assert Program(chat_kit.member("Emma"), ALL).send(path, 403, {"text": "x"})["code"] == "not-your-seat"


def test_notices_are_listed_and_marked_as_read(people, programs, game):
    pace_kit.act(game)  # the cut, which the site does for people
    player = pace_kit.asked(game)
    program = programs[people.index(player)]
    outbox.tell_due(timezone.now() + timedelta(minutes=5))
    told = program.ask("/notices")
    assert told["unread"] == len([notice for notice in told["results"] if notice["unread"]]) > 0
    assert any(notice["kind"] == "turn" and game.public_id in notice["url"] for notice in told["results"])
    first = told["results"][0]["id"]
    assert (
        program.client.post(
            "/api/v1/play/notices/read", {"ids": [first]}, content_type="application/json", headers=program.headers
        ).status_code
        == 204
    )
    assert Outbox.objects.get(pk=first).read_at is not None
    other = programs[(people.index(player) + 1) % 4]
    assert first not in [notice["id"] for notice in other.ask("/notices")["results"]]


def test_the_calendar_has_an_address_that_can_be_changed(programs, client):
    assert programs[0].ask("/calendar") == {"address": None}
    first = programs[0].send("/calendar", 200, {"on": True})["address"]
    assert client.get(first).status_code == 200
    second = programs[0].send("/calendar", 200, {"on": True})["address"]
    assert second != first
    assert client.get(first).status_code == 404
    assert programs[0].send("/calendar", 200, {"on": False}) == {"address": None}


def test_hours_and_absences_are_seen_and_changed(programs):
    told = programs[0].ask("/hours")
    assert (len(told["week"]), told["absences"]) == (7, [])
    week = [[9 * 60, 18 * 60]] * 6 + [None]
    assert programs[0].send("/hours", 200, {"week": week})["week"] == week
    assert programs[0].send("/hours", 422, {"week": [None] * 7})["errors"][0]["where"] == "week"
    day = timezone.localdate() + timedelta(days=10)
    body = {"first_day": day.isoformat(), "last_day": (day + timedelta(days=2)).isoformat()}
    absence = programs[0].send("/absences", 200, body)["absences"][0]
    assert absence["first_day"] == day.isoformat()
    assert programs[0].send("/absences", 422, body)["code"] == "unusable"
    assert programs[0].send("/absences/end", 200, {"id": absence["id"]})["absences"] == []
    assert programs[1].send("/absences/end", 404, {"id": absence["id"]})["code"] == "not-found"


def test_people_have_a_page_and_show_their_statistics_to_whom_they_choose(people, programs):
    told = programs[0].ask(f"/people/{people[1].public_id}")
    assert (told["name"], told["member"], told["computer"]) == ("Beat", True, False)
    assert programs[0].ask(f"/people/{people[1].public_id}/statistics") == []
    programs[0].ask("/people/nobody", 404)


def test_who_watches_may_be_agreed_on_and_named(people, programs, game):
    path = path_of(game) + "/watchers"
    assert programs[0].ask(path)["mode"] in ("open", "link", "closed")
    for program in programs:
        told = program.send(path + "/propose", 200, {"mode": "closed"})
    assert told["mode"] == "closed"
    assert Program(chat_kit.member("Emma"), ALL).ask(path, 403)["code"] == "closed-table"


def test_every_token_reads_and_older_ones_get_nothing_new(people):
    assert Program(people[0], (READ,)).ask("/me")["token"]["scopes"] == [READ]


def test_the_people_at_a_table_end_it_together(people, programs, game):
    assert programs[0].ask(path_of(game))["ending"] == {"by": None, "counts": False, "mine": False, "waits": []}
    told = programs[0].say(path_of(game) + "/end", counts=False)
    assert told["game"]["ending"] == {"by": 0, "counts": False, "mine": False, "waits": [1, 2, 3]}
    assert programs[1].ask(path_of(game))["ending"]["mine"] is True
    assert programs[1].say(path_of(game) + "/end", 422, counts=True)["code"] == "not-now"
    assert programs[1].ask("/games", which="waiting")["results"][0]["waits"] is True
    programs[1].say(path_of(game) + "/answer", about="end", agree=False)
    assert programs[1].say(path_of(game) + "/answer", 422, about="end", agree=True)["code"] == "not-now"
    programs[2].say(path_of(game) + "/end", counts=True)
    programs[2].say(path_of(game) + "/answer", about="end", agree=False)
    programs[3].say(path_of(game) + "/end", counts=False)
    for program in programs[:3]:
        told = program.say(path_of(game) + "/answer", about="end", agree=True)
    assert told["game"]["status"] == "ended"


def test_a_substitute_is_not_waited_for_any_longer(people, programs):
    game = pace_kit.table(people, pace=pace_kit.SUBSTITUTE)
    seat = game.to_act
    assert seat is not None
    assert timing.time_out(game.pk, expected=game.number, now=pace_kit.due(game))
    other = next(program for program in programs if program.player != people[seat])
    assert other.say(path_of(game) + "/play-on", 422, seat=(seat + 1) % 4)["code"] == "not-now"
    other.say(path_of(game) + "/play-on", seat=seat)
    assert pace_kit.texts(game)[-1] == "absent"
    other.say(path_of(game) + "/play-on", 422, seat=seat)


def test_preferences_are_read_and_changed_one_by_one(people, programs):
    before = programs[0].ask("/preferences")
    wanted = {"sounds": not before["sounds"], "bot_speed": "slow"}
    assert programs[0].send("/preferences", 200, wanted, "patch") == before | wanted
    assert programs[0].send("/preferences", 400, {"bot_speed": "warp"}, "patch")["code"] == "unreadable"
    assert programs[0].send("/preferences", 200, dict.fromkeys(before), "patch") == before | wanted  # null: stays
    told = programs[0].send("/preferences", 422, {"suit_order": "XYZ"}, "patch")
    assert (told["code"], told["errors"][0]["where"]) == ("unusable", "suit_order")
    assert programs[0].ask("/preferences") == before | wanted
    assert programs[1].ask("/preferences") == before


def test_so_is_what_one_is_told(people, programs):
    before = programs[0].ask("/notices/preferences")
    wanted = {"mail_off": True, "quiet_from": 23, "quiet_to": 7, "digest_hour": 8}
    assert programs[0].send("/notices/preferences", 200, wanted, "patch") == before | wanted
    none = {"quiet_from": None, "quiet_to": None}
    stays = dict.fromkeys(before.keys() - none.keys())
    assert programs[0].send("/notices/preferences", 200, stays, "patch") == before | wanted
    assert programs[0].send("/notices/preferences", 200, none, "patch") == before | wanted | none
    told = programs[0].send("/notices/preferences", 422, {"quiet_from": 22}, "patch")
    assert told["code"] == "unusable"
    assert programs[0].ask("/notices/preferences") == before | wanted | none


@pytest.mark.parametrize(("path", "scope"), [("/preferences", PROFILE), ("/notices/preferences", NOTICE)])
def test_preferences_need_their_scope(people, path, scope):
    program = Program(people[0], tuple(one for one in ALL if one != scope))
    assert scope in program.ask(path, 403)["detail"]
    assert scope in program.send(path, 403, {}, "patch")["detail"]


def test_one_says_something_out_of_turn(people, programs):
    game = pace_kit.table(people, options={"throw_in": False})
    pace_kit.act(game)
    game = pace_kit.fresh(game)
    seat = next(number for number in range(4) if number != game.to_act)
    program = programs[seat]
    seen = program.ask(path_of(game))
    assert (seen["sayable"], seen["legal"]["kind"]) == ("phrases", "none")
    told = program.say(path_of(game) + "/act", action="say ina-flur", expected=seen["number"])
    assert told["game"]["seats"][seat]["saying"][0]["phrases"] == ["ina-flur"]
    assert (
        program.say(path_of(game) + "/act", 422, action="say ina-not", expected=seen["number"])["why"]["rule"]
        == "unknown-phrase"
    )
