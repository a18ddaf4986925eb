"""Addresses of tournaments: `/e/<tournament>/…`, without a language."""

from django.urls import URLPattern

from clubs.desk.urls import urlpatterns as desk
from clubs.hall.urls import urlpatterns as hall
from clubs.online_pages.urls import urlpatterns as online
from clubs.paper.urls import urlpatterns as paper
from clubs.planning.urls import urlpatterns as planning

app_name = "tournament"
urlpatterns: list[URLPattern] = [*planning, *desk, *hall, *online, *paper]
