"""Entry point of the servers: pages over HTTP, doorbells over WebSocket."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, OriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
http = get_asgi_application()  # first: it sets Django up, which what follows needs

from django.conf import settings  # noqa: E402  # Django must be set up first

from games.table.consumers import websocket_urlpatterns as games_sockets  # noqa: E402  # Django must be set up first
from tournaments.consumers import websocket_urlpatterns as clubs_sockets  # noqa: E402  # Django must be set up first

sockets = AuthMiddlewareStack(URLRouter([*games_sockets, *clubs_sockets]))
application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": OriginValidator(sockets, settings.SOCKET_ORIGINS)
        if settings.SOCKET_ORIGINS
        else AllowedHostsOriginValidator(sockets),
    }
)
