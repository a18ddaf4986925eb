"""Addresses of clubs.

Those for finding and founding one carry a language (`pages`); a club's own do not (`plain`, below `/c/`).
"""

from django.urls import path

from clubs.views import calendar, club, members, seasons

pages = [
    path("", club.club_list, name="list"),
    path("new/", club.new, name="new"),
]
plain = [
    path("<slug:slug>/", club.home, name="home"),
    path("<slug:slug>/edit/", club.edit, name="edit"),
    path("<slug:slug>/close/", club.close, name="close"),
    path("<slug:slug>/me/", club.me, name="me"),
    path("<slug:slug>/me/consent/", club.consent, name="consent"),
    path("<slug:slug>/me/leave/", club.leave, name="leave"),
    path("<slug:slug>/join/", members.ask, name="ask"),
    path("<slug:slug>/join/withdraw/", members.withdraw, name="withdraw"),
    path("<slug:slug>/invitation/<str:token>/", members.invitation, name="invitation"),
    path("<slug:slug>/invitation/<str:token>/qr.svg", members.qr, name="invitation-qr"),
    path("<slug:slug>/requests/", members.requests, name="requests"),
    path("<slug:slug>/requests/invite/", members.invite, name="invite"),
    path("<slug:slug>/requests/revoke/<int:invitation>/", members.revoke, name="revoke"),
    path("<slug:slug>/requests/<slug:public_id>/", members.answer, name="answer"),
    path("<slug:slug>/members/", members.member_list, name="members"),
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
    path("<slug:slug>/rules/", club.rules, name="rules"),
    path("<slug:slug>/rules/edit/", club.edit_rules, name="rules-edit"),
    path("<slug:slug>/rules/compare/", club.compare_rules, name="rules-compare"),
    path("<slug:slug>/rules/rules.json", club.rules_as_json, name="rules-json"),
    path("<slug:slug>/rules/<int:number>/", club.rules, name="rules-version"),
    path("<slug:slug>/calendar/", calendar.dates, name="calendar"),
    path("<slug:slug>/calendar/past/", calendar.dates, {"past": True}, name="calendar-past"),
    path("<slug:slug>/calendar/new/", calendar.date_edit, name="date-new"),
    path("<slug:slug>/calendar/calendar.ics", calendar.feed, name="ical"),
    path("<slug:slug>/calendar/<slug:public_id>/", calendar.date, name="date"),
    path("<slug:slug>/calendar/<slug:public_id>/date.ics", calendar.date_ics, name="date-ical"),
    path("<slug:slug>/calendar/<slug:public_id>/edit/", calendar.date_edit, name="date-edit"),
    path("<slug:slug>/calendar/<slug:public_id>/cancel/", calendar.date_cancel, name="date-cancel"),
    path("<slug:slug>/calendar/<slug:public_id>/remove/", calendar.date_remove, name="date-remove"),
    path("<slug:slug>/news/", calendar.news_list, name="news"),
    path("<slug:slug>/news/new/", calendar.news_edit, name="news-new"),
    path("<slug:slug>/news/news.atom", calendar.NewsFeed(), name="news-feed"),
    path("<slug:slug>/news/<slug:public_id>/", calendar.news_item, name="news-item"),
    path("<slug:slug>/news/<slug:public_id>/edit/", calendar.news_edit, name="news-edit"),
    path("<slug:slug>/news/<slug:public_id>/remove/", calendar.news_remove, name="news-remove"),
    path("<slug:slug>/seasons/", seasons.season_list, name="seasons"),
    path("<slug:slug>/seasons/new/", seasons.edit, name="season-new"),
    path("<slug:slug>/seasons/<slug:public_id>/", seasons.season, name="season"),
    path("<slug:slug>/seasons/<slug:public_id>/edit/", seasons.edit, name="season-edit"),
    path("<slug:slug>/seasons/<slug:public_id>/letter/", seasons.send_letter, name="season-letter"),
    path("<slug:slug>/seasons/<slug:public_id>/end/", seasons.end, name="season-end"),
    path("<slug:slug>/seasons/<slug:public_id>/person/", seasons.person, name="season-person"),
    path("<slug:slug>/seasons/<slug:public_id>/remove/", seasons.remove, name="season-remove"),
]
