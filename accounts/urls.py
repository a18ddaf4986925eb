"""Addresses of the player's own pages and those of others; signing up, in and out is in `account_urls`."""

from django.urls import path

from accounts.views import people, profile, security
from accounts.views import people as moderating
from accounts.views import profile as programs
from accounts.views import profile as you
from accounts.views import security as data

app_name = "accounts"
urlpatterns = [
    path("you/", you.you, name="you"),
    path("you/forget/", you.forget, name="forget"),
    path("you/profile/", you.profile, name="profile"),
    path("you/preferences/", profile.preferences, name="preferences"),
    path("you/absences/<int:absence>/end/", profile.come_back, name="come-back"),
    path("you/blocked/", people.blocked, name="blocked"),
    path("you/sessions/<int:session>/end/", security.end_session, name="end-session"),
    path("you/programs/", programs.programs, name="programs"),
    path("you/programs/<int:token>/revoke/", programs.revoke, name="revoke-token"),
    path("you/export/", data.export, name="export"),
    path("you/delete/", data.delete, name="delete"),
    path("people/<slug:public_id>/", people.person, name="person"),
    path("people/<slug:public_id>/block/", people.block, name="block"),
    path("people/<slug:public_id>/unblock/", people.unblock, name="unblock"),
    path("people/<slug:public_id>/report/", people.report, name="report"),
    path("reports/", moderating.reports, name="reports"),
    path("reports/<int:report>/settle/", moderating.settle, name="settle"),
    path("reports/suspended/", moderating.suspended, name="suspended"),
    path("reports/suspended/<slug:public_id>/lift/", moderating.lift, name="lift"),
]
