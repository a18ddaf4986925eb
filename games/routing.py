"""Addresses of the sockets."""

from django.urls import URLPattern, path

from games.consumers import ListBell, TableBell, WaitingBell

websocket_urlpatterns: list[URLPattern] = [
    path("ws/g/<slug:public_id>/", TableBell.as_asgi()),
    path("ws/t/<slug:public_id>/", WaitingBell.as_asgi()),
    path("ws/games/", ListBell.as_asgi()),
]
