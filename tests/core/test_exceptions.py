"""Every code that is raised has words, and all words are raised somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from clubs.exceptions import ClubError
from core.exceptions import Refusal
from games.exceptions import NotNow
from games.lobby.exceptions import LobbyError

ROOT = Path(settings.BASE_DIR)
APPS = ("accounts", "clubs", "core", "games", "notices", "people", "ratings", "rules", "tournaments")


@cache
def raised() -> frozenset[tuple[type[Refusal], str, bool]]:
    """(class, code, whether it brings words of its own), wherever product code makes a refusal by its code."""
    return frozenset(made for app in APPS for path in (ROOT / app).rglob("*.py") for made in _made(path))


def _made(path: Path) -> Iterator[tuple[type[Refusal], str, bool]]:
    text = path.read_text(encoding="utf-8")
    if not re.search(r"Refusal|Error\(|first_of\(", text):
        return
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.args]
    for call in calls:
        if isinstance(call.func, ast.Name | ast.Attribute) and ast.unparse(call.func).endswith("first_of"):
            assert isinstance(call.args[1], ast.Constant)
            yield ClubError, str(call.args[1].value), False
        code = call.args[0]
        if isinstance(call.func, ast.Name) and isinstance(code, ast.Constant) and isinstance(code.value, str):
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            kind = getattr(module, call.func.id, None)
            if isinstance(kind, type) and issubclass(kind, Refusal) and "words" in vars(kind):
                yield kind, code.value, len(call.args) > 1


def kinds(kind: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    yield kind
    for below in kind.__subclasses__():
        yield from kinds(below)


def test_every_code_that_is_raised_has_words() -> None:
    assert len(raised()) > 100
    assert [made for made in raised() if made[1] not in made[0].words and not made[2]] == []
    assert [
        kind for kind in kinds() if kind.code and kind.code not in kind.words and "__init__" not in vars(kind)
    ] == []


def test_all_words_and_statuses_are_of_codes_that_are_raised() -> None:
    used = {(kind, code) for kind, code, _words in raised()}
    for table in [kind for kind in kinds() if "words" in vars(kind)]:
        used |= {(table, kind.code) for kind in kinds(table)}
        codes = {code for kind, code in used if kind is table}
        assert set(table.words) <= codes
        assert {code for answered in table.statuses.values() for code in answered} <= codes


def test_words_are_said_in_the_language_of_who_reads_them() -> None:
    refusal = NotNow()
    with override("en"):
        english = str(refusal)
    with override("de"):
        assert str(refusal) not in ("", english)


def test_a_refusal_says_its_code_and_its_status() -> None:
    refusal = LobbyError("table-gone")
    assert (refusal.code, refusal.status) == ("table-gone", 409)
    own = LobbyError("name-needed", "Too short.")
    assert (own.code, own.status, str(own)) == ("name-needed", 422, "Too short.")
    with pytest.raises(KeyError):
        LobbyError("no-such-code")
