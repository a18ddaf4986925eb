"""Files of a tournament: results as tables and as JSON, draws to check, the till, the feed, the date for a calendar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.paper import draw_files, feed, results, tabular
from clubs.paper.kit import Reading, file, for_readers, for_staff
from clubs.room import ical
from clubs.tournaments import evenings

JSON: Final = "application/json"


@require_safe
@for_readers
def table(reading: Reading, name: str) -> HttpResponseBase:
    """One table of the results as CSV."""
    make = tabular.FILES.get(name)
    if make is None:
        raise Http404
    return file(reading, tabular.as_csv(make(reading.state, reading.names)), tabular.CSV, f"{name}.csv")


@require_safe
@for_readers
def workbook(reading: Reading) -> HttpResponseBase:
    """All tables of the results as one workbook."""
    sheets = tabular.everything(reading.state, reading.names)
    return file(reading, tabular.as_xlsx(sheets), tabular.XLSX, "results.xlsx")


@require_safe
@for_readers
def as_json(reading: Reading) -> HttpResponseBase:
    """The results for programs (docs/results.md)."""
    data = results.as_json(reading.tournament, reading.state, reading.names)
    return file(reading, data, JSON, "results.json", inline=True)


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """What files of results hold, as a JSON schema; the same address for good."""
    return _schema(results.SCHEMA)


@require_safe
def first_schema(request: HttpRequest) -> HttpResponse:
    """What files of results of version 1 hold."""
    return _schema(results.FIRST_SCHEMA)


def _schema(path: Path) -> HttpResponse:
    response = HttpResponse(path.read_bytes(), content_type="application/schema+json")
    patch_cache_control(response, public=True, max_age=86400)
    return response


@require_safe
@for_readers
def all_draws(reading: Reading) -> HttpResponseBase:
    """Everything that was drawn, for `python -m clubs.evening verify`."""
    data = draw_files.whole(reading.tournament, reading.state, private=reading.names.own_words)
    return file(reading, _dumped(data), JSON, "draws.json")


@require_safe
@for_readers
def draw(reading: Reading, key: str) -> HttpResponseBase:
    """One draw, for `python -m clubs.seating verify`; of one that is not out yet, its promise.

    A draw is called by round and attempt (`1.2-1`); a round alone (`1.2`) means the draw of it that stands.
    """
    for each in draw_files.draws_of(reading.tournament, reading.state):
        if key == each.key or (each.undone is None and key == f"{each.phase}.{each.round}"):
            return file(reading, _dumped(each.file), JSON, f"draw-{key}.json")
    raise Http404


@require_safe
@for_staff
def till(reading: Reading) -> HttpResponseBase:
    """The treasurer's entries as CSV."""
    sheet = tabular.till(reading.state, reading.names)
    return file(reading, tabular.as_csv(sheet), tabular.CSV, "till.csv")


@require_safe
@for_readers
def news(reading: Reading) -> HttpResponseBase:
    """What happened, as an Atom feed in the language of the tournament."""
    return file(reading, feed.atom(reading).encode(), "application/atom+xml; charset=utf-8", "news.atom", inline=True)


@require_safe
@for_readers
def event(reading: Reading) -> HttpResponseBase:
    """The date, to be put into a calendar."""
    entry = evenings.entry_of(reading.tournament)
    data = ical.single(reading.tournament.club, entry)
    return file(reading, data, "text/calendar; charset=utf-8", "tournament.ics")


def _dumped(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()
