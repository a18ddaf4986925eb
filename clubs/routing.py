"""Addresses of the sockets."""

from django.urls import URLPattern, path

from clubs.consumers import TournamentBell

websocket_urlpatterns: list[URLPattern] = [path("ws/e/<slug:public_id>/", TournamentBell.as_asgi())]
