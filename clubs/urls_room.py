"""Addresses of clubs: finding and founding one carries a language (`pages`), a club does not (`plain`, under `/c/`)."""

from django.urls import path

from clubs import views_room as room
from clubs import views_room_calendar as calendar
from clubs import views_room_joining as joining
from clubs import views_room_members as members
from clubs import views_room_rules as rules
from clubs import views_room_seasons as seasons

pages = [
    path("", room.listed, name="list"),
    path("new/", room.new, name="new"),
]
plain = [
    path("<slug:slug>/", room.home, name="home"),
    path("<slug:slug>/edit/", room.edit, name="edit"),
    path("<slug:slug>/close/", room.close, name="close"),
    path("<slug:slug>/me/", room.me, name="me"),
    path("<slug:slug>/me/consent/", room.consent, name="consent"),
    path("<slug:slug>/me/leave/", room.leave, name="leave"),
    path("<slug:slug>/join/", joining.ask, name="ask"),
    path("<slug:slug>/join/withdraw/", joining.withdraw, name="withdraw"),
    path("<slug:slug>/invitation/<str:token>/", joining.invitation, name="invitation"),
    path("<slug:slug>/invitation/<str:token>/qr.svg", joining.qr, name="invitation-qr"),
    path("<slug:slug>/requests/", joining.requests, name="requests"),
    path("<slug:slug>/requests/invite/", joining.invite, name="invite"),
    path("<slug:slug>/requests/revoke/<int:invitation>/", joining.revoke, name="revoke"),
    path("<slug:slug>/requests/<slug:public_id>/", joining.answer, name="answer"),
    path("<slug:slug>/members/", members.listed, name="members"),
    path("<slug:slug>/members/new/", members.new, name="member-new"),
    path("<slug:slug>/members/import/", members.bring, name="import"),
    path("<slug:slug>/members/import/<str:token>/", members.draft, name="import-draft"),
    path("<slug:slug>/members/members.csv", members.export, {"form": "csv"}, name="export-csv"),
    path("<slug:slug>/members/members.xlsx", members.export, {"form": "xlsx"}, name="export-xlsx"),
    path("<slug:slug>/members/<slug:public_id>/", members.entry, name="member"),
    path("<slug:slug>/members/<slug:public_id>/role/", members.role, name="role"),
    path("<slug:slug>/members/<slug:public_id>/end/", members.end, name="member-end"),
    path("<slug:slug>/members/<slug:public_id>/back/", members.take_back, name="member-back"),
    path("<slug:slug>/members/<slug:public_id>/remove/", members.remove, name="member-remove"),
    path("<slug:slug>/rules/", rules.read, name="rules"),
    path("<slug:slug>/rules/edit/", rules.edit, name="rules-edit"),
    path("<slug:slug>/rules/compare/", rules.compare, name="rules-compare"),
    path("<slug:slug>/rules/rules.json", rules.as_json, name="rules-json"),
    path("<slug:slug>/rules/<int:number>/", rules.read, name="rules-version"),
    path("<slug:slug>/calendar/", calendar.listed, name="calendar"),
    path("<slug:slug>/calendar/past/", calendar.past, name="calendar-past"),
    path("<slug:slug>/calendar/new/", calendar.date_new, name="date-new"),
    path("<slug:slug>/calendar/calendar.ics", calendar.feed, name="ical"),
    path("<slug:slug>/calendar/<slug:public_id>/", calendar.date, name="date"),
    path("<slug:slug>/calendar/<slug:public_id>/date.ics", calendar.date_ics, name="date-ical"),
    path("<slug:slug>/calendar/<slug:public_id>/edit/", calendar.date_edit, name="date-edit"),
    path("<slug:slug>/calendar/<slug:public_id>/cancel/", calendar.date_cancel, name="date-cancel"),
    path("<slug:slug>/calendar/<slug:public_id>/remove/", calendar.date_remove, name="date-remove"),
    path("<slug:slug>/news/", calendar.news_list, name="news"),
    path("<slug:slug>/news/new/", calendar.news_new, name="news-new"),
    path("<slug:slug>/news/news.atom", calendar.NewsFeed(), name="news-feed"),
    path("<slug:slug>/news/<slug:public_id>/", calendar.news_item, name="news-item"),
    path("<slug:slug>/news/<slug:public_id>/edit/", calendar.news_edit, name="news-edit"),
    path("<slug:slug>/news/<slug:public_id>/remove/", calendar.news_remove, name="news-remove"),
    path("<slug:slug>/seasons/", seasons.listed, name="seasons"),
    path("<slug:slug>/seasons/new/", seasons.new, name="season-new"),
    path("<slug:slug>/seasons/<slug:public_id>/", seasons.season, name="season"),
    path("<slug:slug>/seasons/<slug:public_id>/edit/", seasons.edit, name="season-edit"),
    path("<slug:slug>/seasons/<slug:public_id>/end/", seasons.end, name="season-end"),
    path("<slug:slug>/seasons/<slug:public_id>/person/", seasons.person, name="season-person"),
    path("<slug:slug>/seasons/<slug:public_id>/remove/", seasons.remove, name="season-remove"),
]
