"""QR codes."""

from __future__ import annotations

import io

import segno
from django.http import HttpResponse


def code_picture(address: str) -> HttpResponse:
    """The QR code of an address, as SVG."""
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="svg", scale=4, border=4, light="#fff")
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
