"""Write the description of the API to docs/openapi.json, so that changes to what programs rely on show up in review."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from games.api.base import DESCRIPTION


def description() -> str:
    """The description in the form in which it is stored, without the address of the site."""
    from games.api.urls import api

    parts = {name: part for name, part in api.make_description().items() if name != "servers"}
    return json.dumps(parts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


class Command(BaseCommand):
    help = "Write docs/openapi.json, the description of the API for programs."

    def handle(self, *args: Any, **options: Any) -> None:
        DESCRIPTION.write_text(description(), encoding="utf-8")
