"""What the public pages, the papers and the files of a tournament share: access, names, and rendering."""

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
"""Seconds for which readers who may see no more than everybody may cache a file or a feed."""


class Reading(Visit):
    """A request for a page that everybody may read or, if the tournament is not public, members of the club (else 404).

    `names` are as the reader may see them: initials on public pages, unless people have agreed to more.
    """

    @cached_property
    def state(self) -> State:
        """The state of the tournament, without what would reveal a sealed deal."""
        return veiled(state_of(self.tournament))

    @property
    def audience(self) -> naming.Audience:
        return self.standing.audience

    @cached_property
    def names(self) -> Names:
        return Names(self.tournament, self.audience, more=everybody(self.state))

    @property
    def is_indexable(self) -> bool:
        """Whether search engines may index the public pages."""
        return self.tournament.is_public and self.club.found_by_search

    def round(self, key: str) -> Round:
        """A published round or, for the director, a draft. Raises Http404."""
        round = self.state.round(key)
        if round is None or (round.status == DRAFT and not self.runs_it):
            raise Http404
        return round

    def entrant(self, id: str) -> Entrant:
        """An entrant. Raises Http404."""
        entrant = self.state.entrants.get(id)
        if entrant is None or not entrant.members:
            raise Http404
        return entrant

    def parameter(self, name: str, most: int = 80) -> str:
        """A parameter of the address, without spaces around it, cut to `most` characters."""
        return self.request.GET.get(name, "").strip()[:most]

    def page(self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        """A page of the tournament. Search engines may index it if the club allows it."""
        full_context = {
            "reading": self,
            "is_indexable": self.is_indexable,
            "initials": self.audience == naming.PUBLIC,
            **(context or {}),
        }
        response = super().page(template, full_context, status=status)
        if self.is_indexable:
            del response["X-Robots-Tag"]
        return response


for_readers = page_for(Reading, Reading.check_reads)
for_staff = page_for(Reading, Reading.check_runs)


def file(reading: Reading, data: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """A file to download. Search engines may index it only if the club allows it."""
    response = HttpResponse(data, content_type=kind)
    how = "inline" if inline else "attachment"
    response["Content-Disposition"] = f'{how}; filename="{reading.tournament.public_id}-{name}"'
    if not reading.is_indexable:
        response["X-Robots-Tag"] = NOT_FOUND
    if reading.audience != naming.PUBLIC or not reading.tournament.is_public:
        return private(response)
    patch_cache_control(response, private=True, max_age=A_WHILE)
    return response


def absolute(name: str, tournament: Tournament, *args: object) -> str:
    """An address of a tournament with SITE_URL in front, for papers, feeds and files."""
    return settings.SITE_URL + reverse(f"tournament:{name}", args=[tournament.public_id, *args])


def code_address(tournament: Tournament, kind: str, code: str) -> str:
    """The address for a QR code on paper. `kind`: `s` for a side of a table, `p` for a person, `k` for a hall code."""
    return f"{absolute('home', tournament)}{kind}/{code}/"
