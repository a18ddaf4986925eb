"""Error reports that give nothing away."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class NothingPrivateFilter(SafeExceptionReporterFilter):
    """Leaves local variables, form values and cookies out of every report, also while debugging.

    A frame of a game holds everybody's cards; a form holds passwords; a cookie is a key to somebody's seat.
    """

    def is_active(self, request: HttpRequest | None) -> bool:
        """Active always; Django's own is not while debugging."""
        return True

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        """No variables, whatever the frame."""
        return {}.items()

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, str]:
        """The names of the form's fields, without their values."""
        return {} if request is None else dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_safe_cookies(self, request: HttpRequest) -> dict[str, str]:
        """The names of the cookies, without their values."""
        return dict.fromkeys(request.COOKIES, self.cleansed_substitute)
