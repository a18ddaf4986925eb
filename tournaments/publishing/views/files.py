"""Files of a tournament: results as tables and as JSON, draws to check, the till, the feed, the date for a calendar.

The Atom feed tells what happened: rounds published, rounds closed, the final ranking. It is in the language of the
tournament, with names as everybody may see them, so that all readers get the same feed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_safe

from clubs.services import calendar
from clubs.spreadsheets import CSV, XLSX
from core.http import SteadyAtom
from domain.tournament.state import DRAFT, State
from tournaments import club_evenings
from tournaments.models import Tournament, TournamentEvent
from tournaments.publishing import base, exports, tabular
from tournaments.publishing.base import Reading, file, for_readers, for_staff
from tournaments.read_models import Names, ranking_seen
from tournaments.selectors import language_of

_KINDS: Final = ("tournament.opened", "round.published", "round.closed", "tournament.closed")
_NEWEST: Final = 50
_FIRST: Final = 3


@dataclass(frozen=True, slots=True)
class _Item:
    number: int
    title: str
    text: str
    url: str
    at: datetime


def atom(reading: Reading) -> str:
    """The feed, with the newest entry first. Ids never change."""
    tournament = reading.tournament
    with override(language_of(tournament)):
        feed = SteadyAtom(
            title=f"{tournament.name} – {tournament.club.name}",
            link=base.absolute("home", tournament),
            description=tournament.place,
            language=language_of(tournament),
            feed_url=base.absolute("news", tournament),
            feed_guid=base.absolute("home", tournament),
            since=tournament.created_at,
        )
        for item in _items(tournament, reading.state):
            feed.add_item(
                title=item.title,
                link=item.url,
                description=item.text,
                pubdate=item.at,
                updateddate=item.at,
                unique_id=f"{base.absolute('news', tournament)}#{item.number}",
            )
        return feed.writeString("utf-8")


def _items(tournament: Tournament, state: State) -> list[_Item]:
    rows = TournamentEvent.objects.filter(tournament=tournament, kind__in=_KINDS, number__lte=state.number)
    items = []
    names = Names(tournament, "public")
    for row in rows.order_by("-number")[:_NEWEST]:
        item = _item(tournament, state, row, names)
        if item is not None:
            items.append(item)
    return items


def _item(tournament: Tournament, state: State, row: TournamentEvent, names: Names) -> _Item | None:
    if row.kind == "tournament.opened":
        text = _("All its draws come from what this promises: %(commitment)s") % {"commitment": state.commitment}
        title = _("The tournament begins") if state.plan.online else _("The door is open")
        return _Item(row.number, title, text, base.absolute("draws", tournament), row.at)
    if row.kind == "tournament.closed":
        seen = ranking_seen(state, names)
        first = [f"{each.rank}. {each.name}" for each in seen.places if 0 < each.rank <= _FIRST]
        text = "; ".join(first)
        return _Item(row.number, _("The ranking is final"), text, base.absolute("standings", tournament), row.at)
    key = str(row.data.get("round", ""))
    round = state.round(key)
    if round is None or round.status == DRAFT or row.data.get("off"):
        return None
    phase, _dot, number = key.partition(".")
    name = state.phases[int(phase) - 1].name
    phase_prefix = f"{name}, " if name else ""
    title = (_("Round %(number)s is published") if row.kind == "round.published" else _("Round %(number)s is over")) % {
        "number": number
    }
    count = len(round.tables)
    text = phase_prefix + ngettext("%(count)d table", "%(count)d tables", count) % {"count": count}
    if round.deadline and row.kind == "round.published":
        # The time zone of the site, not of the reader: all readers get the same feed.
        deadline = timezone.localtime(datetime.fromisoformat(round.deadline), timezone.get_default_timezone())
        when = date_format(deadline, "DATETIME_FORMAT")
        text += ", " + _("until %(when)s") % {"when": when}
    return _Item(row.number, title, text, base.absolute("seating-round", tournament, key), row.at)


JSON: Final = "application/json"


@require_safe
@for_readers
def table(reading: Reading, name: str) -> HttpResponseBase:
    make = tabular.FILES.get(name)
    if make is None:
        raise Http404
    return file(reading, tabular.as_csv(make(reading.state, reading.names)), CSV, f"{name}.csv")


@require_safe
@for_readers
def workbook(reading: Reading) -> HttpResponseBase:
    sheets = tabular.all_sheets(reading.state, reading.names)
    return file(reading, tabular.as_xlsx(sheets), XLSX, "results.xlsx")


@require_safe
@for_readers
def as_json(reading: Reading) -> HttpResponseBase:
    """The results for programs (docs/results.md)."""
    data = exports.results_as_json(reading.tournament, reading.state, reading.names)
    return file(reading, data, JSON, "results.json", inline=True)


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON schema of files of results. The address never changes."""
    return _schema(exports.SCHEMA)


@require_safe
def first_schema(request: HttpRequest) -> HttpResponse:
    """The JSON schema of files of results, version 1."""
    return _schema(exports.FIRST_SCHEMA)


def _schema(path: Path) -> HttpResponse:
    response = HttpResponse(path.read_bytes(), content_type="application/schema+json")
    patch_cache_control(response, public=True, max_age=86400)
    return response


@require_safe
@for_readers
def all_draws(reading: Reading) -> HttpResponseBase:
    """Everything that was drawn, for `python -m domain.tournament verify`."""
    data = exports.draws_as_data(reading.tournament, reading.state, private=reading.names.own_words)
    return file(reading, _dumped(data), JSON, "draws.json")


@require_safe
@for_readers
def draw(reading: Reading, key: str) -> HttpResponseBase:
    """One draw, for `python -m domain.seating verify`; only its promise if the round is not published yet.

    `key` names a draw by round and attempt (`1.2-1`); a round alone (`1.2`) means the draw that was not undone.
    """
    for each in exports.draws_of(reading.tournament, reading.state):
        if key == each.key or (each.undone is None and key == f"{each.phase}.{each.round}"):
            return file(reading, _dumped(each.seen(private=reading.names.own_words)), JSON, f"draw-{key}.json")
    raise Http404


@require_safe
@for_staff
def till(reading: Reading) -> HttpResponseBase:
    """The treasurer's entries as CSV."""
    sheet = tabular.till(reading.state, reading.names)
    return file(reading, tabular.as_csv(sheet), CSV, "till.csv")


@require_safe
@for_readers
def news(reading: Reading) -> HttpResponseBase:
    """The news of the tournament as an Atom feed, in its language."""
    return file(reading, atom(reading).encode(), "application/atom+xml; charset=utf-8", "news.atom", inline=True)


@require_safe
@for_readers
def event(reading: Reading) -> HttpResponseBase:
    entry = club_evenings.entry_of(reading.tournament)
    data = calendar.entry_as_ical(reading.club, entry)
    return file(reading, data, "text/calendar; charset=utf-8", "tournament.ics")


def _dumped(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()
