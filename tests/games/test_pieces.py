"""Pieces of the table that are rendered once and kept: nobody gets another's, and none says what it should say no more."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

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
from tests.games.table_kit import person
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
