"""The entry point of the servers: pages over HTTP, notifications of changes over WebSocket."""

import os

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, OriginValidator

os.umask(0o077)  # as in manage.py, for servers that do not go through it
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402  # Django must be set up first
from django.urls import re_path  # noqa: E402  # Django must be set up first

from games.table.consumers import websocket_urlpatterns as games_sockets  # noqa: E402  # Django must be set up first
from tournaments.consumers import websocket_urlpatterns as clubs_sockets  # noqa: E402  # Django must be set up first
from troccas_site.handler import Handler, SocketLimits, TurnedAway  # noqa: E402  # Django must be set up first
from troccas_site.middleware import numbered  # noqa: E402  # Django must be set up first

anything_else = re_path("", TurnedAway.as_asgi())
sockets = SocketLimits(URLRouter([*games_sockets, *clubs_sockets, anything_else]))
application = numbered(
    ProtocolTypeRouter(
        {
            "http": Handler(),
            "websocket": OriginValidator(sockets, settings.SOCKET_ORIGINS)
            if settings.SOCKET_ORIGINS
            else AllowedHostsOriginValidator(sockets),
        }
    )
)
