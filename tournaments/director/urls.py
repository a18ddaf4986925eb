"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path, re_path

from tournaments.director.views import phases, prizes, rounds, standings, tables
from tournaments.director.views import phases as views_phases
from tournaments.director.views import rounds as views_why
from tournaments.director.views import tables as director_views_tables

_ROUND = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2})"
_TABLE = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2}\.[1-9][0-9]{0,3})"

director: list[URLPattern] = [
    path("rounds/", rounds.rounds, name="rounds"),
    re_path(rf"^rounds/{_ROUND}/$", rounds.round_page, name="round"),
    re_path(rf"^rounds/{_ROUND}/slips/$", tables.slips, name="slips"),
    re_path(rf"^tables/{_TABLE}/$", director_views_tables.table, name="table"),
    path("phases/", views_phases.phases, name="phases"),
    path("phases/new/", views_phases.new_phase, name="new-phase"),
    path("phases/<int:number>/plan/", views_phases.change_plan, name="phase-plan"),
    path("standings/", standings.standings, name="standings"),
    path("standings/<int:phase>/", standings.standings, name="standings-of"),
    path("standings/<int:phase>/<slug:id>/", standings.evening_of, name="entrant-sheet"),
    path("penalties/", standings.penalties, name="penalties"),
    path("corrections/", standings.corrections, name="corrections"),
    path("prizes/", prizes.prizes, name="prizes"),
    path("prizes/plan/", prizes.plan, name="prize-plan"),
    path("prizes/read/", prizes.read_out, name="prizes-read"),
    re_path(rf"^why/{_ROUND}/(?P<id>e[1-9][0-9]*)/$", views_why.why, name="why"),
    path("close/", phases.closing, name="closing"),
    path("log/", phases.log, name="log"),
]
