"""Addresses of ratings. Pages have a language in their address; lists for programs (`plain`) have none."""

from django.urls import URLPattern, path

from ratings import views

app_name = "ratings"
urlpatterns: list[URLPattern] = [
    path("", views.index, name="index"),
    path("how/", views.how, name="how"),
    path("you/", views.you, name="you"),
    path("pseudonyms/<slug:public_id>/report/", views.report, name="report"),
    path("pseudonyms/<slug:public_id>/take-down/", views.take_down, name="take-down"),
    path("<str:ruleset>/", views.rating_list, name="list"),
    path("<str:ruleset>/pairs/", views.paired, name="pairs"),
    path("<str:ruleset>/chances/", views.chances, name="chances"),
    path("<str:ruleset>/<slug:public_id>/", views.person, name="person"),
]
plain: list[URLPattern] = [path("ratings/<str:ruleset>.json", views.as_json, name="ratings-json")]
