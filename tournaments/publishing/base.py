"""What the public pages, the paper and the files of a tournament share: who may look, whose names they read, how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control

from clubs import naming
from clubs.views.base import NOT_FOUND
from core.http import private
from domain.tournament.state import DRAFT, Entrant, Round, State
from tournaments.models import Tournament
from tournaments.online.selectors import veiled
from tournaments.read_models import Names, everybody
from tournaments.selectors import state_of
from tournaments.views import Visit, page_for

A_WHILE: Final = 60
"""Seconds for which a file or a feed may be kept on the way to those who may not see more than everybody."""


class Reading(Visit):
    """One request of somebody who reads, of a page for everybody, or for members of the club where the tournament is not public
    (404 for others). `names` are as they may read them: initials on public pages, unless people agreed."""

    @cached_property
    def state(self) -> State:
        """How it stands, without what tells something of a sealed deal."""
        return veiled(state_of(self.tournament))

    @property
    def audience(self) -> naming.Audience:
        return self.standing.audience

    @cached_property
    def names(self) -> Names:
        return Names(self.tournament, self.audience, more=everybody(self.state))

    @property
    def found(self) -> bool:
        """Whether search engines may keep the public pages."""
        return self.tournament.is_public and self.club.found_by_search

    def round(self, key: str) -> Round:
        """A round that is out. Raises Http404; for the director a draft is there too."""
        found = self.state.round(key)
        if found is None or (found.status == DRAFT and not self.runs_it):
            raise Http404
        return found

    def entrant(self, id: str) -> Entrant:
        """An entrant. Raises Http404."""
        found = self.state.entrants.get(id)
        if found is None or not found.members:
            raise Http404
        return found

    def asked(self, name: str, most: int = 80) -> str:
        return self.request.GET.get(name, "").strip()[:most]

    def page(self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        """A page of the tournament; one that search engines may keep, if the club says so."""
        whole = {"reading": self, "found": self.found, "initials": self.audience == naming.PUBLIC, **(context or {})}
        response = super().page(template, whole, status=status)
        if self.found:
            del response["X-Robots-Tag"]
        return response


for_readers = page_for(Reading, Reading.check_reads)
for_staff = page_for(Reading, Reading.check_runs)


def file(reading: Reading, data: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """A file to take away, under a name that says what it is. No search engine keeps it unless the club says so."""
    response = HttpResponse(data, content_type=kind)
    how = "inline" if inline else "attachment"
    response["Content-Disposition"] = f'{how}; filename="{reading.tournament.public_id}-{name}"'
    if not reading.found:
        response["X-Robots-Tag"] = NOT_FOUND
    if reading.audience != naming.PUBLIC or not reading.tournament.is_public:
        return private(response)
    patch_cache_control(response, private=True, max_age=A_WHILE)
    return response


def absolute(name: str, tournament: Tournament, *args: object) -> str:
    """An address with the name of the site in front, as SITE_URL has it: for paper, feeds and files."""
    return settings.SITE_URL + reverse(f"tournament:{name}", args=[tournament.public_id, *args])


def code_address(tournament: Tournament, kind: str, code: str) -> str:
    """The address that a QR code on paper leads to: `s` a side of a table, `p` a person, `k` a code of the hall."""
    return f"{absolute('home', tournament)}{kind}/{code}/"
