"""Nothing that is put into the outbox may arrive without words: every event named in the code is told in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone, translation

from accounts.models import Player
from domain.tournament.events import HANDLERS
from games.lobby.models import OpenTable
from notices import outbox, registry, selectors
from notices.models import Outbox
from rules import services
from rules.models import Suggestion
from tests.games import pace_kit
from tests.rules import door_kit

pytestmark = pytest.mark.django_db

APPS = ("accounts", "clubs", "games", "notices", "ratings", "rules", "tournaments")
SPOKEN_FOR = ("game", "table", "rules", "notices", "account", "club", "message")
"""What an event may begin with; one that begins otherwise is no notice (`notices.outbox.put` says what it is about)."""
EVENT = re.compile(r"[a-z]+\.[a-z]+(?:-[a-z]+)*")


def trees() -> Iterator[ast.AST]:
    for app in APPS:
        for path in sorted(Path(settings.BASE_DIR, app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield ast.parse(path.read_text(encoding="utf-8"))


def callee(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def tells(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and callee(node) in ("put", "tell")


def named() -> set[str]:
    """Every event that is named in a call that tells of it, or kept under a name in a module that tells."""
    found = set()
    for tree in trees():
        nodes = list(ast.walk(tree))
        if not any(tells(node) for node in nodes):
            continue  # other constants look the same
        said = [node for node in nodes if tells(node) or isinstance(node, (ast.Assign, ast.AnnAssign))]
        for part in (part for node in said for part in ast.walk(node)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and EVENT.fullmatch(part.value):
                found.add(part.value)
    # What happens in a tournament's log is called alike; nobody is told of it by that name.
    return {event for event in found - HANDLERS.keys() if event.partition(".")[0] in SPOKEN_FOR}


def made_up() -> set[str]:
    """The events whose name is put together where they are told: only tables that end do so, by their state."""
    pieces = {
        str(node.values[0].value)
        for tree in trees()
        for call in ast.walk(tree)
        if tells(call)
        for node in ast.walk(call)
        if isinstance(node, ast.JoinedStr)
        and isinstance(node.values[0], ast.Constant)
        and EVENT.fullmatch(f"{node.values[0].value!s}x")
    }
    assert pieces <= {"table."}, "an event with a made-up name: say here which there are"
    return {f"table.{state}" for state in (OpenTable.State.CLOSED, OpenTable.State.EXPIRED)}


def suggested(by: Player) -> Suggestion:
    row = door_kit.entry("article", "deal", "en")
    return services.suggest(row, door_kit.changed_article("One line", "A suggested line"), by=by, base=row.published)


def params() -> tuple[Player, dict[str, object]]:
    """Somebody, and what a notice to them may name: a game, a table, a suggestion."""
    door_kit.world()
    people = pace_kit.people()
    game = pace_kit.table(people)
    return people[0], {
        "game": game.public_id, "table": "bcdf", "url": "/t/bcdf/", "ruleset": "troccas", "by": people[1].public_id,
        "until": timezone.now().isoformat(), "day": "2026-12-24", "share": "half", "status": "finished",
        "suggestion": suggested(door_kit.member()).pk, "channel": "mail",
    }  # fmt: skip


def test_the_search_for_events_finds_what_is_told():
    assert {"game.turn", "game.vacation", "table.invited", "rules.suggestion-declined"} <= named()


def test_every_event_that_can_reach_somebody_has_words_in_every_language():
    player, given = params()
    silent = []
    for event in sorted(named() | made_up()):
        for language, _name in settings.LANGUAGES:
            speaker = registry.find_wording(event)
            with translation.override(language):
                told = speaker.words(event, given, player, language) if speaker is not None else None
            if told is None or not told.subject or not told.line or "%(" in told.subject + told.line:
                silent.append(f"{event} in {language}")
    assert silent == []


@pytest.mark.parametrize(("decision", "event"), [("accept", "accepted"), ("decline", "declined")])
def test_who_suggested_something_is_told_what_became_of_it_and_nobody_else(decision, event, client):
    door_kit.world()
    author, editor = door_kit.member("onna"), door_kit.editor("gion")
    suggestion = suggested(author)
    if decision == "accept":
        services.accept(suggestion, by=editor, answer="Well found")
    else:
        services.decline(suggestion, by=editor, answer="Another source says otherwise")
    suggestion.refresh_from_db()
    row = Outbox.objects.get()
    assert (row.event, row.player) == (f"rules.suggestion-{event}", author)
    outbox.tell_due()
    (line,), _onward = selectors.lines(author)
    client.force_login(author.user)
    page = client.get(line.words.url)
    assert page.status_code == 200
    assert suggestion.answer not in line.words.subject + line.words.line
    assert not registry.find_wording(row.event).still_true(row.event, row.params, editor)
    assert not registry.find_wording(row.event).still_true(row.event, {"suggestion": 0}, author)


def test_who_decides_on_their_own_suggestion_or_takes_it_back_is_told_nothing():
    door_kit.world()
    author, editor = door_kit.member("onna"), door_kit.editor("gion")
    services.withdraw(suggested(author), by=author)
    services.decline(suggested(editor), by=editor, answer="A mistake of mine")
    assert not Outbox.objects.exists()
