"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path

from tournaments.publishing.views import files, paper, public
from tournaments.publishing.views import public as seasons

publishing: list[URLPattern] = [
    path("", public.home, name="home"),
    path("seating/", public.seating, name="seating"),
    path("seating/<str:key>/", public.seating, name="seating-round"),
    path("ranking/", public.ranking, name="ranking"),
    path("ranking/<int:phase>/", public.ranking, name="ranking-phase"),
    path("entrant/<slug:id>/", public.entrant, name="entrant"),
    path("draws/", public.draws, name="draws"),
    path("draws/draws.json", files.all_draws, name="draws-file"),
    path("draws/<str:key>.json", files.draw, name="draw-file"),
    path("results.xlsx", files.workbook, name="results-xlsx"),
    path("results.json", files.as_json, name="results-json"),
    path("results/<slug:name>.csv", files.table, name="results-csv"),
    path("till.csv", files.till, name="till-csv"),
    path("news.atom", files.news, name="news"),
    path("tournament.ics", files.event, name="ical"),
    path("paper/", paper.index, name="paper"),
    path("paper/<slug:kind>/", paper.sheet, name="paper-sheet"),
    path("paper/<slug:kind>.pdf", paper.as_pdf, name="paper-pdf"),
    path("seasons/", seasons.page, name="seasons"),
]
