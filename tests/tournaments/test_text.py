"""Refusals in words."""

from __future__ import annotations

from tournaments.text import refusal


def test_a_refusal_without_the_facts_for_its_words_shows_its_code():
    assert refusal("undecided", "absent", {"one": "e1", "other": "e2"}) == "That cannot be done now (undecided)."
    assert refusal("undecided", "absent", {}) == "That cannot be done now (undecided)."
