"""Every kind of page, read in Sursilvan: somebody with every right in a club, and somebody who directs an evening, follow the links
from page to page."""

from __future__ import annotations

import re
from collections import deque
from html import unescape
from typing import Final
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from accounts.models import Player
from clubs.models import HouseRulesVersion
from core.sursilvan import SURSILVAN
from domain.standings.profile import HouseRules, to_plain
from tests.clubs import kit
from tests.clubs.test_calendar import add
from tests.clubs.test_seasons import begin
from tests.sursilvan_kit import faults
from tests.tournaments.services.kit import Night

pytestmark = [pytest.mark.django_db, pytest.mark.long]

LINK = re.compile(r'\bhref="([^"#]+)')
NAMES_ITSELF: Final = {"English: English", "English: Zurich"}
"""A language in a list of languages, and a city."""
ENGLISH: Final = {"api-reference"}
"""For who writes programs, and made in a minute."""


def walk(player: Player, start: str, seen: set[str]) -> dict[str, list[str]]:
    """What is wrong on the pages that links lead to, the first of each kind that was not `seen`."""
    assert player.user is not None
    client = Client(headers={"accept-language": SURSILVAN})
    client.force_login(player.user)
    client.cookies["language"] = SURSILVAN
    waiting, found = deque([start]), dict[str, list[str]]()
    while waiting:
        path = waiting.popleft()
        try:
            name = resolve(urlsplit(path).path).view_name
        except Resolver404:
            continue
        if name in seen | ENGLISH:
            continue
        seen.add(name)
        answer = client.get(path, follow=True)
        if answer.status_code != 200 or answer.streaming or not answer["Content-Type"].startswith("text/html"):
            continue
        html = answer.content.decode()
        at = answer.redirect_chain[-1][0] if answer.redirect_chain else path
        # What a club has called its own house rules is of no language that we know; how many tables there are is not marked yet.
        marked = {fault for fault in faults(html) if not re.search("Reglas dall'uniun|meisas? da", fault)}
        if wrong := marked - NAMES_ITSELF:
            found[path] = sorted(wrong)
        links = (urljoin(at, unescape(link)) for link in LINK.findall(html))
        waiting.extend(link for link in links if link.startswith("/") and not link.startswith(("//", "/static")))
    return found


def test_each_sentence_of_every_kind_of_page_is_in_one_language() -> None:
    people = kit.staffed(language=SURSILVAN)
    add(people, "Sera da troccas")
    begin(people)
    seen = set[str]()
    found = walk(people.president, f"/c/{people.club.slug}/", seen)
    night = Night.at(8)
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()), by=night.director)
    night.begin()
    night.draw()
    found |= walk(night.director, reverse("tournament:home", args=[night.tournament.public_id]), seen)
    assert found == {}, found
    assert {"club:season", "club:rules-edit", "rules:new", "tournament:rounds", "accounts:preferences"} <= seen
    assert len(seen) > 100
