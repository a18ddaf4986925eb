"""Answering a request over HTTP in one thread."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler, ASGIRequest

from troccas_site.views import healthz

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


class Handler(ASGIHandler):
    """Django's own, but from the first middleware to the view all runs in one thread: no view here is a coroutine, and
    Django would go from the thread to the event loop and back for each request."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Whether this process answers is asked every few seconds, and of its event loop: no thread and no middleware."""
        if scope["type"] == "http" and scope["path"] == "/healthz":
            response = healthz(ASGIRequest(scope, BytesIO()))
            headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
            await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
            await send({"type": "http.response.body", "body": response.content})
        else:
            await super().__call__(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
