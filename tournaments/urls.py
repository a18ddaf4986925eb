"""Addresses of tournaments (`/e/<tournament>/…`, without a language) and of announcing (`/c/<club>/tournaments/…`)."""

from django.urls import URLPattern, path, re_path

from tournaments.director.views import phases, prizes, rounds, standings, tables
from tournaments.handover import views as handover
from tournaments.live.views import hall
from tournaments.live.views import tables as phones
from tournaments.publishing.views import files, paper, public
from tournaments.registration.views import entrance, entries, plan

_ROUND = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2})"
_TABLE = r"(?P<key>[1-9][0-9]?\.[1-9][0-9]{0,2}\.[1-9][0-9]{0,3})"
_HALL = "(?P<what>door|screen|arrive)"

_registration: list[URLPattern] = [
    path("settings/", plan.change, name="settings"),
    path("settings/seasons/", plan.choose_seasons, name="seasons"),
    path("dry-run/", plan.dry_run, name="dry-run"),
    path("cancel/", plan.cancel, name="cancel"),
    path("delete/", plan.delete, name="delete"),
    path("codes/", plan.codes, name="codes"),
    re_path(rf"^codes/{_HALL}/renew/$", plan.renew, name="renew"),
    re_path(rf"^codes/{_HALL}/picture\.svg$", plan.code_picture, name="code-picture"),
    path("people/", entrance.people, name="people"),
    path("people/add/", entries.add, name="add"),
    path("people/paste/", entries.paste, name="paste"),
    path("people/apart/", entries.apart, name="apart"),
    re_path(r"^people/(?P<who>e\d{1,5})/$", entries.entrant, name="entry"),
    path("invite/", entries.invite, name="invite"),
    path("enter/", entrance.oneself, name="enter"),
    path("door/<slug:code>/", entrance.by_code, name="door-code"),
    path("till/", entrance.page, name="till"),
]
_director: list[URLPattern] = [
    path("rounds/", rounds.rounds, name="rounds"),
    re_path(rf"^rounds/{_ROUND}/$", rounds.round_page, name="round"),
    re_path(rf"^rounds/{_ROUND}/slips/$", tables.slips, name="slips"),
    re_path(rf"^tables/{_TABLE}/$", tables.table, name="table"),
    path("phases/", phases.phases, name="phases"),
    path("phases/new/", phases.new_phase, name="new-phase"),
    path("phases/<int:number>/plan/", phases.change_plan, name="phase-plan"),
    path("standings/", standings.standings, name="standings"),
    path("standings/<int:phase>/", standings.standings, name="standings-of"),
    path("standings/<int:phase>/<slug:id>/", standings.evening_of, name="entrant-sheet"),
    path("penalties/", standings.penalties, name="penalties"),
    path("corrections/", standings.corrections, name="corrections"),
    path("prizes/", prizes.prizes, name="prizes"),
    path("prizes/plan/", prizes.plan, name="prize-plan"),
    path("prizes/read/", prizes.read_out, name="prizes-read"),
    re_path(rf"^why/{_ROUND}/(?P<id>e[1-9][0-9]*)/$", rounds.why, name="why"),
    path("close/", phases.closing, name="closing"),
    path("log/", phases.log, name="log"),
]
_handover: list[URLPattern] = [
    path("file/", handover.page, name="file"),
    path("file/evening.json", handover.download, name="file-download"),
]
_live: list[URLPattern] = [
    path("s/<slug:code>/", phones.table, name="phone"),
    path("s/<slug:code>/since/", phones.table_since, name="phone-since"),
    path("s/<slug:code>/write/", phones.write, name="phone-write"),
    path("s/<slug:code>/erase/", phones.erase, name="phone-erase"),
    path("s/<slug:code>/hand-in/", phones.hand_in, name="phone-hand-in"),
    path("s/<slug:code>/take-back/", phones.take_back, name="phone-take-back"),
    path("s/<slug:code>/confirm/", phones.confirm, name="phone-confirm"),
    path("s/<slug:code>/digits/", phones.confirm_by_digits, name="phone-digits"),
    path("s/<slug:code>/dispute/", phones.dispute, name="phone-dispute"),
    path("p/<slug:code>/", hall.person, name="person"),
    path("p/<slug:code>/since/", hall.person_since, name="person-since"),
    path("p/<slug:code>/withdraw/", hall.withdraw, name="withdraw"),
    path("me/", hall.me, name="me"),
    path("k/<slug:code>/", hall.hall_code, name="hall-code"),
    path("k/<slug:code>/find/", hall.find, name="arrive-find"),
    path("k/<slug:code>/arrive/", hall.arrive, name="arrive"),
    path("k/<slug:code>/come-in/", hall.come_in, name="come-in"),
    path("k/<slug:code>/in/<slug:own>/", hall.welcome, name="welcome"),
    path("k/<slug:code>/since/", hall.screen_since, name="screen-since"),
]
_publishing: list[URLPattern] = [
    path("", public.home, name="home"),
    path("seating/<str:key>/", public.seating, name="seating-round"),
    path("bracket/<int:phase>/", public.bracket, name="bracket"),
    path("entrant/<slug:id>/", public.entrant, name="entrant"),
    path("rounds/<str:key>/boards/", public.boards, name="boards"),
    path("rounds/<str:key>/boards/<int:number>/", public.board, name="board"),
    path("rounds/<str:key>/boards/tables/<int:number>/", public.table, name="boards-of-table"),
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
    path("letter/", public.send_letter, name="letter"),
]

app_name = "tournament"
urlpatterns: list[URLPattern] = [*_registration, *_director, *_handover, *_live, *_publishing]
without_club: list[URLPattern] = [
    path("", plan.without_club, name="evening-without-club"),
    path("from-file/", handover.open_page, name="evening-from-file"),
]
of_clubs: list[URLPattern] = [
    path("new/", plan.new, name="new"),
    path("tonight/", plan.tonight, name="tonight"),
]
