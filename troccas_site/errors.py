"""Error reports that give nothing away."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class NothingPrivateFilter(SafeExceptionReporterFilter):
    """Leaves local variables, settings, form values and cookies out of every report, also while debugging.

    A frame of a game holds everybody's cards; a form holds passwords; a cookie is a key to somebody's seat; the
    addresses of services carry their passwords.
    """

    def is_active(self, request: HttpRequest | None) -> bool:
        """Active always; Django's own is not while debugging."""
        return True

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        """No variables, whatever the frame."""
        return {}.items()

    def get_safe_settings(self) -> dict[str, Any]:
        """No settings: several hold an address with a password in it."""
        return {}

    def get_safe_request_meta(self, request: HttpRequest) -> dict[str, Any]:
        """What the client sent; not the environment of the process, which some servers mix into it."""
        return {
            name: value
            for name, value in super().get_safe_request_meta(request).items()
            if name.startswith("HTTP_") or name in {"PATH_INFO", "REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT"}
        }

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, str]:
        """The names of the form's fields, without their values."""
        return {} if request is None else dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_safe_cookies(self, request: HttpRequest) -> dict[str, str]:
        """The names of the cookies, without their values."""
        return dict.fromkeys(request.COOKIES, self.cleansed_substitute)
