"""Templates ask only for what is there: in tests an attribute that an object does not have is an error."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.template import Context, Template

from accounts.models import Player
from domain.pace import Kind, Terms

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
WHERE = ("Troccas & Troggu", "club.name", "tournament.name", "sight|short_name", "games/lobby/_title.html")
"""What titles of pages end with: the site, or the club, tournament or game that the page is of."""


@pytest.mark.parametrize("asked", ["{{ terms.knid }}", "{% if player.nmae %}{% endif %}"])
def test_an_attribute_that_is_not_there_is_an_error(asked: str) -> None:
    with pytest.raises(AssertionError, match="has no"):
        Template(asked).render(Context({"terms": Terms(Kind.LIVE, timedelta(minutes=1)), "player": Player()}))


@pytest.mark.parametrize("asked", ["{{ nothing }}", "{{ nothing.more }}", "{% if values.key %}{% endif %}"])
def test_what_may_be_missing_is_empty(asked: str) -> None:
    assert Template(asked).render(Context({"nothing": None, "values": {}})).strip("None") == ""


def test_every_title_says_also_where_one_is() -> None:
    """Among many tabs "Profile" is nobody's profile."""
    titles = {}
    for path in TEMPLATES.rglob("*.html"):
        whole = path.read_text(encoding="utf-8")
        title = re.search(r"^{% block title %}(.*?){% endblock %}$", whole, re.MULTILINE)
        if title is not None and '{% extends "error.html" %}' not in whole:
            titles[path.name] = title[1]
    assert len(titles) > 60
    assert [name for name, title in titles.items() if not any(where in title for where in WHERE)] == []
