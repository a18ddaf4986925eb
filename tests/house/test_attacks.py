"""Attacks that are tried on everything there is: on every page that shows what people wrote, on every address that takes a form."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterator
from datetime import timedelta
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.serializers import serialize
from django.db.models import Count
from django.db.transaction import atomic, set_rollback
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.test import Client, RequestFactory
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone
from django.utils.html import escape
from lxml.etree import fromstring
from lxml.html import document_fromstring

from accounts.models import PersonalToken, Player, Profile, Report, Session
from clubs.models import HouseRulesVersion, JoinRequest, News
from domain.standings.profile import HouseRules, to_plain
from games.chat.models import Note
from games.meeting.models import Appointment
from people.models import Message, Thread
from tests.clubs import kit
from tests.clubs.test_calendar import add
from tests.clubs.test_seasons import begin
from tests.games import chat_kit, lobby_kit
from tests.house.test_sursilvan_walk import LINK
from tests.rules.test_hostile import alive
from tests.tournaments.services.kit import Night

pytestmark = pytest.mark.django_db

EVIL: Final = "\"'></script><svg/onload=a>"
"""Ends an attribute, a script and a text; 26 characters, for which every field has room."""
WRITTEN: Final = {
    "accounts.PersonalToken": ("name",),
    "accounts.Player": ("name",),
    "accounts.Profile": ("village", "text"),
    "accounts.Report": ("text", "context", "outcome"),
    "chat.Message": ("text", "reason"),
    "chat.Note": ("text",),
    "clubs.Club": ("name", "village", "about"),
    "clubs.ClubDate": ("title", "place", "text"),
    "clubs.HouseRulesVersion": ("note",),
    "clubs.JoinRequest": ("first_name", "last_name", "message"),
    "clubs.Member": ("first_name", "last_name", "email"),
    "clubs.News": ("title", "text"),
    "clubs.Season": ("name",),
    "lobby.OpenTable": ("note",),
    "meeting.Appointment": ("note", "reason"),
    "people.Message": ("text", "reason"),
    "tournaments.Tournament": ("name", "place", "text"),
}
"""What people write freely, by its table and columns. Articles, words and remarks of the encyclopedia: `tests/rules/test_hostile.py`."""


def pages(player: Player | None, starts: list[str], known: Container[str] = ()) -> Iterator[tuple[str, str, Any]]:
    """The pages that links lead to from `starts`, the first of each kind for this person: its name, its address, the answer. Of
    the encyclopedia, those whose names are not `known`."""
    client = Client()
    if player is not None:
        client.force_login(player.user)
    waiting = deque(starts)
    own: set[str] = set()
    while waiting:
        path = waiting.popleft()
        try:
            name = resolve(urlsplit(path).path).view_name
        except Resolver404:
            continue
        if name in own or (name.startswith("rules:") and name in known):
            continue
        own.add(name)
        answer = client.get(path, follow=True)
        kind = answer.get("Content-Type", "").partition(";")[0]
        if answer.streaming or not kind.endswith(("html", "xml")):
            continue
        at = answer.redirect_chain[-1][0] if answer.redirect_chain else path
        yield name, at, answer
        links = (urljoin(at, unescape(link)) for link in LINK.findall(answer.content.decode()))
        waiting.extend(link for link in links if link.startswith("/") and not link.startswith(("//", "/static")))


def walk(player: Player | None, starts: list[str], shown: dict[str, bool]) -> dict[str, list[str]]:
    """What a browser would run of the pages that links lead to from `starts`, the first of each kind for this person, of the
    encyclopedia for anybody; whether it is `shown` there what people wrote."""
    found = dict[str, list[str]]()
    for name, path, answer in pages(player, starts, shown):
        page = answer.content.decode()
        if answer["Content-Type"].partition(";")[0].endswith("xml"):
            fromstring(answer.content)  # whole: nothing ended an element
        shown[name] = shown.get(name, False) or escape(EVIL) in page
        if wrong := alive(page):
            found[path] = wrong
    return found


def world() -> tuple[kit.People, Night, list[str]]:
    """A club, an evening, a game and a table with all that people write about them; where its pages begin."""
    people = kit.staffed()
    club, anna, mia = people.club, people.president, people.member
    add(people, "Sera")
    begin(people)
    News.objects.create(club=club, title="News", text="News")
    JoinRequest.objects.create(club=club, player=people.stranger, first_name="A", last_name="B", message="C")
    night = Night.at(8)
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()), by=night.director)
    night.begin(EVIL)
    night.draw()
    night.do("draw.undone", phase=1, round=1, reason=EVIL)
    night.draw()
    night.play("1.1.1")
    night.do("screen.told", text=EVIL)
    game = chat_kit.table(anna, mia)
    chat_kit.begin(game, anna, mia)
    chat_kit.say(game, mia, "hello")
    Note.objects.create(game=game, player=anna, text="note")
    table = lobby_kit.lay(mia)
    soon = timezone.now() + timedelta(days=3)
    Appointment.objects.create(
        proposer=mia, ruleset="troccas", ruleset_version=1, table_size=4, hands=1, pace="live", starts_at=soon
    )
    Report.objects.create(about=mia, by=anna, reason="name", text="text")
    for player in (anna, mia):
        Profile.objects.update_or_create(player=player, defaults={"village": "Trun", "text": "text"})
    first, second = sorted((anna, mia), key=lambda player: player.pk)
    thread = Thread.objects.create(first=first, second=second)
    Message.objects.create(thread=thread, author=mia, text="text")
    PersonalToken.objects.create(player=anna, name="program", digest="1", hint="abcd", scopes=[])
    for label, names in WRITTEN.items():
        rows = apps.get_model(label)._default_manager.all()
        if label == "accounts.Player":
            rows = rows.filter(computer="")
        assert rows.exists(), label
        rows.update(**dict.fromkeys(names, EVIL))
    starts = [
        "/en/", f"/c/{club.slug}/", reverse("tournament:home", args=[night.tournament.public_id]),
        f"/g/{game.public_id}/", f"/t/{table.public_id}/", f"/en/messages/{thread.public_id}/",
        reverse("accounts:person", args=[mia.public_id]), "/en/meet/", "/en/tables/",
    ]  # fmt: skip
    return people, night, starts


@pytest.mark.long
def test_nothing_that_people_write_runs_on_a_page() -> None:
    people, night, starts = world()
    shown: dict[str, bool] = {}
    found: dict[str, list[str]] = {}
    for player in (people.president, night.director, people.member, people.stranger, None):
        found |= walk(player, starts, shown)
    assert found == {}
    assert sum(shown.values()) > 40


Form = tuple[str, dict[str, str]]
FILLED: Final = {"email": "x@example.org", "number": "1", "date": "2027-01-01", "checkbox": "on", "hidden": ""}


def forms(player: Player, starts: list[str]) -> Iterator[tuple[tuple[str, ...], Form]]:
    """Every form, with each of its buttons, that pages show to this person, filled in: what kind it is, where it is sent, what with."""
    for _name, at, answer in pages(player, starts, {"rules:contents"}):
        if not answer["Content-Type"].startswith("text/html"):
            continue
        for form in document_fromstring(answer.content).iter("form"):
            if form.get("method", "").lower() != "post":
                continue
            filled = {field.get("name", ""): _filled(field) for field in form.iter("input", "textarea", "select")}
            own = [button for button in form.iter("button") if button.get("name") or button.get("formaction")]
            for button in own or [form]:
                action = urlsplit(urljoin(at, button.get("formaction") or form.get("action") or "")).path
                pressed = {button.get("name"): button.get("value", "")} if button.tag == "button" else {}
                body = {name: text for name, text in (filled | pressed).items() if name}
                yield (resolve(action).view_name, *sorted(body), *pressed.values()), (action, body)


def _filled(field: Any) -> str:
    if field.tag == "select":
        return next((str(each.get("value")) for each in field.iter("option") if each.get("value")), "")
    return str(field.get("value") or FILLED.get(field.get("type", ""), "words"))


LOGS: Final = (("games.Action", "game"), ("lobby.TableEvent", "table"), ("clubs.ClubEvent", "club"),
               ("tournaments.TournamentEvent", "tournament"))  # fmt: skip
OPEN_TO_ALL: Final = {"lobby:join", "meeting:answer"}
"""Sitting down at a table that is open to everybody, and answering to an appointment that is."""


def rows(without: Player) -> dict[tuple[str, str], dict[str, Any]]:
    """All rows there are but those of one person and those that count or tell."""
    found = {}
    for model in apps.get_models():
        others = ("core", "notices", "usersessions", "contenttypes", "auth")
        if model is not Session and model._meta.app_label not in others:
            for row in serialize("python", model._default_manager.all()):
                mine = without.pk in [row["fields"].get(name) for name in ("player", "by", "first", "second")]
                if not mine and (row["model"], row["pk"]) not in {
                    ("accounts.player", without.pk),
                    ("accounts.user", without.user_id),
                }:
                    found[row["model"], str(row["pk"])] = row["fields"]
    return found


@pytest.mark.long
def test_no_form_that_a_page_shows_to_somebody_changes_what_is_theirs_when_a_stranger_sends_it() -> None:
    """A stranger sends with an account of their own, word for word, what the president, the director and a player could send."""
    people, night, starts = world()
    own = ["/en/you/", "/en/my-games/", "/en/you/webhooks/", "/en/you/programs/", "/en/notices/", "/en/meeting/"]
    found: dict[tuple[str, ...], Form] = {}
    for player in (people.president, night.director, people.member):
        found |= dict(forms(player, starts + own))
    stranger = kit.person("Neida Nova")
    before, logged = rows(stranger), _logged()
    changed, sent = dict[str, object](), 0
    for kind, (action, body) in found.items():
        if kind[0] in OPEN_TO_ALL or {kind[0].partition(":")[2], kind[0]} & WITHOUT:
            continue
        given = body | ({"request_id": str(uuid4())} if "request_id" in body else {})
        with atomic():
            answer = kit.browser(stranger).post(action, given)
            assert answer.status_code < 500, (action, given)
            now = rows(stranger)
            if wrong := [key for key, fields in before.items() if now.get(key) != fields]:
                changed[action] = wrong
            if (longer := _logged()) != logged and any(longer.get(key) != number for key, number in logged.items()):
                changed[action] = longer
            set_rollback(True)
        sent += 1
    assert changed == {}
    assert sent > 150


def _logged() -> dict[tuple[str, int], int]:
    """How long each log is."""
    return {
        (label, parent): count
        for label, name in LOGS
        for parent, count in apps.get_model(label)._default_manager.order_by().values_list(name).annotate(Count("pk"))
    }


def patterns(urls: Any = None) -> Iterator[URLPattern]:
    """Every address there is."""
    for each in (urls or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


WITHOUT: Final = {
    "games.api.base", "games.api.urls", "ninja.operation", "rules.api", "api-root", "openapi-json",
    "phone-confirm", "phone-digits", "phone-dispute", "phone-erase", "phone-hand-in", "phone-take-back", "phone-write",
    "arrive", "come-in", "withdraw", "no-letters", "unsubscribe", "edit", "new", "suggest-word", "revert", "talk",
}  # fmt: skip
"""Modules and names of what is open to forms from elsewhere. The API counts no cookies, a code in the address of an evening or of a
letter is the right to write, and the pages of the encyclopedia ask for the secret themselves (`tests/rules/test_editing.py`)."""


def test_a_form_without_our_secret_is_refused_at_every_address_but_where_no_cookie_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("CRITICAL")
    checking = CsrfViewMiddleware(lambda _request: HttpResponse())
    refused = 0
    for pattern in patterns():
        request = RequestFactory(enforce_csrf_checks=True).post("/")
        checking.process_request(request)
        if checking.process_view(request, pattern.callback, (), {}) is None:
            assert {pattern.callback.__module__, pattern.name} & WITHOUT, pattern
        else:
            refused += 1
    assert refused > 250


SAMPLES: Final = {"int": "1", "slug": "x1", "str": "x", "path": "x/y", "uuid": "00000000-0000-4000-8000-000000000000"}


def address_of(route: str) -> str:
    """An address that a pattern is asked about: of routes one that fits, of expressions often one that does not."""
    route = re.sub(r"<(?:(\w+):)?\w+>", lambda found: SAMPLES.get(found[1] or "str", "x"), route)
    return "/" + re.sub(r"\(\?P<\w+>[^)]*\)|[\^$\\]", "1", route) if "(?P" in route else "/" + route


def routes(urls: Any = None, before: str = "") -> Iterator[str]:
    """Every address there is, as it is written."""
    for each in (urls or get_resolver()).url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from routes(each, route)
        else:
            yield route


@pytest.mark.slow
def test_no_method_breaks_an_address_or_sends_back_what_it_was_sent(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL")
    client = Client()
    asked = 0
    for address in dict.fromkeys(map(address_of, routes())):
        for method in ("HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PROPFIND"):
            answer = client.generic(method, address, EVIL, headers={"x-evil": EVIL})
            assert answer.status_code < 500, (method, address)
            body = b"" if answer.streaming else answer.content
            assert EVIL.encode() not in body, (method, address)
            asked += 1
    assert asked > 1500


ELSEWHERE: Final = (
    "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example",
    "http:///evil.example", "/\t/evil.example", "\t//evil.example", "javascript:alert(1)", "data:text/html,x",
    "//evil.example@testserver/", "https://testserver.evil.example/", "/en/\r\nX-Evil: 1",
)  # fmt: skip


@pytest.mark.parametrize("onward", ELSEWHERE)
def test_no_page_sends_anybody_elsewhere(onward: str) -> None:
    """As a browser reads the address: with every backslash a slash, and without tabs and ends of lines."""
    player = kit.person()
    client = kit.browser(player)
    password = "neun-und-dreissig"
    answers = [
        client.post("/i18n/setlang/", {"language": "de", "next": onward}),
        client.post("/i18n/setlang/", {"language": "de"}, headers={"referer": onward.strip()}),
        client.post(reverse("notices:how"), {"how": "later", "next": onward}),
        client.get(reverse("account_login"), {"next": onward}),
        client.get(reverse("account_signup"), {"next": onward}),
        client.post(reverse("account_logout"), {"next": onward}),
        client.post(reverse("account_login"), {"login": player.user.email, "password": password, "next": onward}),
    ]
    assert [answer.status_code for answer in answers] == [302] * len(answers)
    for answer in answers:
        read = re.sub(r"[\t\r\n]", "", answer["Location"]).strip().replace("\\", "/")
        assert urlsplit(urljoin("http://testserver/", read)).netloc == "testserver", answer["Location"]
        assert urlsplit(urljoin("http://testserver/", read)).scheme == "http"
        assert "X-Evil" not in answer.headers
