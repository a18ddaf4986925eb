"""Addresses of tournaments: `/e/<tournament>/…`, without a language."""

from django.urls import URLPattern

from tournaments.boards.urls import online
from tournaments.director.urls import director as desk
from tournaments.live.urls import live as hall
from tournaments.publishing.urls import publishing as paper
from tournaments.registration.urls import registration as planning

app_name = "tournament"
urlpatterns: list[URLPattern] = [*planning, *desk, *hall, *online, *paper]
