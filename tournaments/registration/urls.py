"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose.

Addresses of planning that belong to a club: `/c/<club>/tournaments/…`.
"""

from django.urls import URLPattern, path, re_path

from tournaments.registration.views import entrance, entries, plan, till
from tournaments.registration.views import entrance as views_oneself

_HALL = "(?P<what>door|screen|arrive)"

registration: list[URLPattern] = [
    path("plan/", plan.plan, name="plan"),
    path("settings/", plan.change, name="settings"),
    path("dry-run/", plan.dry_run, name="dry-run"),
    path("open/", plan.open_door, name="open"),
    path("cancel/", plan.cancel, name="cancel"),
    path("delete/", plan.delete, name="delete"),
    path("codes/", plan.codes, name="codes"),
    re_path(rf"^codes/{_HALL}/renew/$", plan.renew, name="renew"),
    re_path(rf"^codes/{_HALL}/picture\.svg$", plan.code_picture, name="code-picture"),
    path("entries/", entries.entries, name="entries"),
    path("entries/add/", entries.add, name="add"),
    path("entries/categories/", entries.categorise, name="categorise"),
    path("entries/apart/", entries.apart, name="apart"),
    re_path(r"^entries/(?P<who>e\d{1,5})/$", entries.entrant, name="entry"),
    path("enter/", views_oneself.oneself, name="enter"),
    path("door/", entrance.door, name="door"),
    path("door/<slug:code>/", entrance.by_code, name="door-code"),
    path("till/", till.page, name="till"),
]


app_name = "club-tournaments"
urlpatterns: list[URLPattern] = [path("new/", plan.new, name="new")]
