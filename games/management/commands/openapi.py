"""Write the description of the API to docs/openapi.json, so that a change of what programs rely on shows in review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

FILE: Final = Path(settings.BASE_DIR) / "docs" / "openapi.json"


def description() -> str:
    """The description as it is kept: without the address of the site that serves it."""
    from games.api.base import PATH
    from games.api.urls import api

    described = {name: part for name, part in api.get_openapi_schema(path_prefix=PATH).items() if name != "servers"}
    return json.dumps(described, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


class Command(BaseCommand):
    help = "Write docs/openapi.json, the description of the API for programs."

    def handle(self, *args: Any, **options: Any) -> None:
        FILE.write_text(description(), encoding="utf-8")
