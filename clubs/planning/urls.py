"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path, re_path

from clubs.planning import views_door, views_entries, views_oneself, views_plan, views_till

_HALL = "(?P<what>door|screen|arrive)"

urlpatterns: list[URLPattern] = [
    path("plan/", views_plan.plan, name="plan"),
    path("settings/", views_plan.change, name="settings"),
    path("dry-run/", views_plan.dry_run, name="dry-run"),
    path("open/", views_plan.open_door, name="open"),
    path("cancel/", views_plan.cancel, name="cancel"),
    path("delete/", views_plan.delete, name="delete"),
    path("codes/", views_plan.codes, name="codes"),
    re_path(rf"^codes/{_HALL}/renew/$", views_plan.renew, name="renew"),
    re_path(rf"^codes/{_HALL}/picture\.svg$", views_plan.code_picture, name="code-picture"),
    path("entries/", views_entries.entries, name="entries"),
    path("entries/add/", views_entries.add, name="add"),
    path("entries/categories/", views_entries.categorise, name="categorise"),
    path("entries/apart/", views_entries.apart, name="apart"),
    re_path(r"^entries/(?P<who>e\d{1,5})/$", views_entries.entrant, name="entry"),
    path("enter/", views_oneself.oneself, name="enter"),
    path("door/", views_door.door, name="door"),
    path("door/<slug:code>/", views_door.by_code, name="door-code"),
    path("till/", views_till.page, name="till"),
]
