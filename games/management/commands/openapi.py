"""Write the description of the API to docs/openapi.json, so that a change of what programs rely on shows in review."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from games.api.base import DESCRIPTION


def description() -> str:
    """The description as it is kept: without the address of the site that serves it."""
    from games.api.urls import api

    described = {name: part for name, part in api.make_description().items() if name != "servers"}
    return json.dumps(described, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


class Command(BaseCommand):
    help = "Write docs/openapi.json, the description of the API for programs."

    def handle(self, *args: Any, **options: Any) -> None:
        DESCRIPTION.write_text(description(), encoding="utf-8")
