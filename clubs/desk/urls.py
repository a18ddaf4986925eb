"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path, re_path

from clubs.desk import (
    views_closing,
    views_phases,
    views_prizes,
    views_rounds,
    views_slips,
    views_standings,
    views_table,
    views_why,
)

_ROUND = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2})"
_TABLE = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2}\.[1-9][0-9]{0,3})"

urlpatterns: list[URLPattern] = [
    path("rounds/", views_rounds.rounds, name="rounds"),
    re_path(rf"^rounds/{_ROUND}/$", views_rounds.round_page, name="round"),
    re_path(rf"^rounds/{_ROUND}/slips/$", views_slips.slips, name="slips"),
    re_path(rf"^tables/{_TABLE}/$", views_table.table, name="table"),
    path("phases/", views_phases.phases, name="phases"),
    path("phases/new/", views_phases.new_phase, name="new-phase"),
    path("phases/<int:number>/plan/", views_phases.change_plan, name="phase-plan"),
    path("standings/", views_standings.standings, name="standings"),
    path("standings/<int:phase>/", views_standings.standings, name="standings-of"),
    path("standings/<int:phase>/<slug:id>/", views_standings.evening_of, name="entrant-sheet"),
    path("penalties/", views_standings.penalties, name="penalties"),
    path("corrections/", views_standings.corrections, name="corrections"),
    path("prizes/", views_prizes.prizes, name="prizes"),
    path("prizes/plan/", views_prizes.plan, name="prize-plan"),
    path("prizes/read/", views_prizes.read_out, name="prizes-read"),
    re_path(rf"^why/{_ROUND}/(?P<id>e[1-9][0-9]*)/$", views_why.why, name="why"),
    path("close/", views_closing.closing, name="closing"),
    path("log/", views_closing.log, name="log"),
]
