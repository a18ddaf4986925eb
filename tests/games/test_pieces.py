"""Pieces of the table that are rendered once and kept: nobody gets another's, and none says what it should say no more."""

from __future__ import annotations

import gzip
import random
import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import lxml.html
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts import sessions
from domain.engine.actions import SAY
from domain.pace import Kind, Terms
from games.models import Game
from games.read_models import CardSeen
from games.selectors import log
from games.selectors.table import sight_of
from games.services import play, timing
from games.table.templatetags.table import piece
from rules import terms
from tests.domain.engine.tables import any_action
from tests.games.table_kit import advised, person, rush
from tests.long import quick

if TYPE_CHECKING:
    from accounts.models import Player
    from games.read_models import Sight

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
LANGUAGES = ("en", "de", "rm-sursilv")


def forget() -> None:
    """All pieces go, as when words are published."""
    terms.replace(replace(terms.current(), memo={}))


def drawn(sight: Sight, viewer: Player | None, language: str) -> str:
    with override(language):
        return render_to_string("games/_table.html", {"sight": sight, "player": viewer, "request_id": "one"})


def moments(ruleset: str, people: list[Player], chance: random.Random) -> list[tuple[Sight, Player | None]]:
    """A deal played by chance, as it looked after every twentieth action to each of those who sit there, and to a stranger."""
    game = play.start(ruleset, people, pace=Terms(Kind.DAYS, DAY, 3 * DAY))
    game.refresh_from_db()
    timing.begin(game.pk, expected=game.number, now=game.due_at)
    seen: list[tuple[Sight, Player | None]] = []
    for step in range(1000):
        game = Game.objects.get(pk=game.pk)
        hand = log.open_table(game).hand
        if step % 20 == 0 or hand is None:
            seen += [(sight_of(game, viewer), viewer) for viewer in (*people, None)]
        if hand is None:
            return seen
        move = any_action(hand, chance)
        assert move.verb != SAY
        play.submit(game.pk, hand.turn, str(move), expected=game.number, request_id=uuid4(), by=people[hand.turn])
    raise AssertionError("the deal never ends")


@pytest.mark.parametrize(("ruleset", "size"), quick({"troccas-4"}, [("troccas", 4), ("troggu", 3)]))
def test_whoever_looks_at_whatever_table_in_whatever_order_sees_what_a_fresh_page_shows(monkeypatch, ruleset, size):
    moment = timezone.now()
    chance = random.Random(f"pieces {ruleset}")
    people = [person(name=f"Person {number}") for number in range(size)]
    looks = moments(ruleset, people, chance) + moments(ruleset, people[::-1], chance)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    asked = [(sight, viewer, chance.choice(LANGUAGES)) for sight, viewer in looks]
    chance.shuffle(asked)
    forget()
    kept = [drawn(*ask) for ask in asked]
    for ask, shown in zip(asked, kept, strict=True):
        forget()
        assert drawn(*ask) == shown


def parts_of(page: bytes) -> dict[str, tuple[str, str | None]]:
    """The parts of a table by their names: the key of each and what it shows, None where the page is said to show that already."""
    without_chance = re.sub(rb'(name="(?:csrfmiddlewaretoken|expected|request_id)" value=)"[^"]*"', rb"\1", page)
    tree = lxml.html.fromstring(without_chance.decode())
    return {
        part.get("data-part"): (
            part.get("data-key"),
            None if "data-same" in part.attrib else lxml.html.tostring(part, encoding="unicode", with_tail=False),
        )
        for part in tree.xpath("//*[@id='table']//*[@data-part]")
    }


@pytest.mark.parametrize(("ruleset", "size"), quick({"troccas-4"}, [("troccas", 4), ("troggu", 3)]))
@pytest.mark.slow
def test_what_changed_makes_of_a_page_what_a_fresh_page_shows_whoever_looks_whatever_they_say_they_show(
    monkeypatch, ruleset, size
):
    moment = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    monkeypatch.setattr("games.selectors.clocks._HOLDS", float("inf"))
    chance = random.Random(f"parts {ruleset}")
    people = [person(name=f"Person {number}") for number in range(size)]
    game = play.start(ruleset, people, pace=Terms(Kind.DAYS, DAY, 3 * DAY))
    game.refresh_from_db()
    timing.begin(game.pk, expected=game.number, now=game.due_at)
    moment = game.due_at or moment
    clients: dict[Player | None, Client] = {None: Client()}
    for one in people:
        clients[one] = Client()
        clients[one].cookies["guest"] = sessions.issue_guest_token(one)
    url = reverse("games:since", args=[game.public_id, 0])
    shown: dict[Player | None, dict[str, tuple[str, str | None]]] = {viewer: {} for viewer in clients}
    spared = 0
    for _step in range(40):
        game = Game.objects.get(pk=game.pk)
        hand = log.open_table(game).hand
        if hand is None:
            break
        by, action = people[hand.turn], any_action(hand, chance)
        sent = {"action": str(action), "expected": game.number, "request_id": str(uuid4())}
        looks = [by, *chance.sample(list(clients), 2)]
        for viewer in looks:
            client, language = clients[viewer], chance.choice(LANGUAGES)
            client.cookies["language"] = language
            holds = dict(shown[viewer if chance.random() < 0.7 else chance.choice(list(clients))])
            holds = {name: holds[name] for name in holds if chance.random() < 0.95}
            said = " ".join(f"{name}:{key}" for name, (key, _text) in holds.items())
            headers = {"HX-Request": "true", "X-Parts": said}
            if viewer == by and sent:
                answer = client.post(reverse("games:act", args=[game.public_id]), sent, headers=headers)
                sent = {}
            else:
                answer = client.get(url, headers=headers)
            assert answer.status_code == 200
            fresh = parts_of(client.get(url, headers={"HX-Request": "true"}).content)
            told = parts_of(answer.content)
            now = {name: (key, text or holds[name][1]) for name, (key, text) in told.items()}
            assert now == fresh
            spared += sum(text is None for _key, text in told.values())
            shown[viewer] = now
    assert spared > 100


def test_only_what_changed_is_sent():
    people = [person(name=f"Person {number}") for number in range(4)]
    game = play.start("troccas", people, pace=Terms(Kind.DAYS, DAY, 3 * DAY), options={"throw_in": False})
    game.refresh_from_db()
    timing.begin(game.pk, expected=game.number, now=game.due_at)
    rush(game, until=lambda hand: len(hand.tricks) > 5)
    game.refresh_from_db()
    seats, to_act = log.open_table(game).seats, game.to_act or 0
    by, other = (
        seats[to_act].player,
        seats[to_act - 1].player,
    )  # who leads, and who is asked last: their hand stays as it is
    headers, pages, clients = {}, {}, {}
    for one in (by, other):
        clients[one] = Client()
        clients[one].cookies["guest"] = sessions.issue_guest_token(one)
        pages[one] = clients[one].get(reverse("games:table", args=[game.public_id])).content
        said = " ".join(f"{name}:{key}" for name, (key, _text) in parts_of(pages[one]).items())
        headers[one] = {"HX-Request": "true", "X-Parts": said}
    sent = {"action": advised(game, by), "expected": game.number, "request_id": str(uuid4())}
    to_by = clients[by].post(reverse("games:act", args=[game.public_id]), sent, headers=headers[by])
    since = reverse("games:since", args=[game.public_id, game.number])
    to_other = clients[other].get(since, headers=headers[other])
    same = {"bar", "sheet", "sealed", "tools", "usual", "refusal", "plans", "time-forms"}
    for answer, changed in ((to_by, {"board", "hand", "log"}), (to_other, {"board", "log"})):
        told = parts_of(answer.content)
        assert changed <= {name for name, (_key, text) in told.items() if text is not None}
        assert same <= {name for name, (_key, text) in told.items() if text is None}
        assert len(gzip.compress(answer.content)) < 5000
    whole = clients[other].get(since, headers={"HX-Request": "true"})
    assert len(to_other.content) < 0.6 * len(whole.content)


@pytest.mark.parametrize("name", ["Anna", "<!--fields-->"])
def test_every_form_carries_once_what_is_new_in_every_answer_and_no_name_can_stand_for_it(name):
    people = [person(name=name), *(person(name=f"Person {number}") for number in range(3))]
    game = play.start("troccas", people, pace=Terms(Kind.DAYS, DAY, 3 * DAY), options={"throw_in": False})
    game.refresh_from_db()
    timing.begin(game.pk, expected=game.number, now=game.due_at)
    rush(game, until=lambda hand: len(hand.tricks) > 2)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(people[1])
    page = client.get(reverse("games:since", args=[game.public_id, 0]), headers={"HX-Request": "true"})
    shown = lxml.html.fromstring(page.content.decode())
    fields = ["csrfmiddlewaretoken", "expected", "request_id"]
    for form in (forms := shown.xpath("//form[@method='post']")):
        assert [len(form.xpath(f".//input[@name='{each}']")) for each in fields] == [1, 1, 1]
    assert {"play", "more-time", "pause"} <= {form.get("data-act") for form in forms}
    assert "<!--" not in page.content.decode()
    assert name in shown.text_content()


def test_a_card_of_one_hand_says_in_each_language_and_state_what_is_so_there():
    held = CardSeen("CK", "C", playable=True)
    said = set()
    for language in ("en", "de"):
        for playing in (True, False):
            for known in (True, False):
                with override(language):
                    said.add(piece("games/_held.html", held=replace(held, known=known), playing=playing))
    assert len(said) == 8


def test_a_piece_knows_nothing_but_what_it_was_given():
    with pytest.raises(TypeError, match="unhashable"):
        piece("games/_held.html", held=["CK"], playing=True)
