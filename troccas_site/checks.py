"""System checks that refuse settings which would silently lose something."""

from collections.abc import Iterable
from typing import Any, Final

from channels.layers import InMemoryChannelLayer
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.utils.module_loading import import_string
from django.utils.translation import to_locale

from core.files import is_private
from troccas_site import env

SQLITE = "core.sqlite3"

RUNTIME_TAGS: Final = (Tags.caches, Tags.security, Tags.translation)
"""The checks that a serving process runs when it starts: those that depend on the machine and its settings.

Checks of the source alone are left to `manage.py check`: they import everything, which would stay in memory."""


@register(Tags.caches)
def check_shared_between_processes(**kwargs: Any) -> Iterable[CheckMessage]:
    """Several web processes must share a channel layer and a cache."""
    if settings.WEB_PROCESSES <= 1:
        return []
    problems: list[CheckMessage] = []
    if issubclass(import_string(str(settings.CHANNEL_LAYERS["default"]["BACKEND"])), InMemoryChannelLayer):
        problems.append(
            Error(
                "Several web processes cannot ring each other through an in-memory channel layer.",
                hint="Set REDIS_URL, or WEB_PROCESSES=1.",
                id="troccas_site.E001",
            )
        )
    if any(kind in settings.CACHES["default"]["BACKEND"] for kind in ("LocMem", "Dummy")):
        problems.append(
            Error(
                "Several web processes need one cache: rate limits are counted in it.",
                hint="Set REDIS_URL, or use the database cache.",
                id="troccas_site.E002",
            )
        )
    return problems


@register(Tags.database)
def check_sqlite_options(**kwargs: Any) -> Iterable[CheckMessage]:
    """Only with these options is SQLite safe for several writers and across a power cut."""
    database: dict[str, Any] = settings.DATABASES["default"]
    if database["ENGINE"] != SQLITE:
        return []
    options: dict[str, Any] = database.get("OPTIONS", {})
    commands = str(options.get("init_command", "")).replace(" ", "").upper()
    sound = (
        options.get("transaction_mode") == "IMMEDIATE"
        and "JOURNAL_MODE=WAL" in commands
        and "SYNCHRONOUS=FULL" in commands
        and options.get("timeout", 0) >= 20
        and not database.get("ATOMIC_REQUESTS")
    )
    if sound:
        return []
    return [
        Error(
            "SQLite must run with transaction_mode IMMEDIATE, WAL, synchronous=FULL, timeout 20 and no ATOMIC_REQUESTS.",
            hint="See SQLITE_OPTIONS in troccas_site/settings.py.",
            id="troccas_site.E003",
        )
    ]


@register(Tags.translation)
def check_catalogues(**kwargs: Any) -> Iterable[CheckMessage]:
    """Without a compiled catalogue, Django responds with 404 to all pages of a language."""
    return [
        Error(
            f"The language {code} has no compiled catalogue.",
            hint="Run `python tools/messages.py compile`.",
            id="troccas_site.E004",
        )
        for code, _name in settings.LANGUAGES
        if code != settings.LANGUAGE_CODE
        and not any((path / to_locale(code) / "LC_MESSAGES" / "django.mo").exists() for path in settings.LOCALE_PATHS)
    ]


@register(Tags.security)
def check_data_are_private(**kwargs: Any) -> Iterable[CheckMessage]:
    """The data folder must be private: it contains the cards of running hands and the keys of sessions."""
    if is_private(settings.DATA_DIR):
        return []
    return [
        checks.Warning(
            f"Other accounts of this machine can read the data of the site in {settings.DATA_DIR}.",
            hint="Run `manage.py prepare` as the account that the site runs as.",
            id="troccas_site.W005",
        )
    ]


@register(Tags.security)
def check_names_of_settings(**kwargs: Any) -> Iterable[CheckMessage]:
    """A misspelt DATABASE_URL would start an empty site beside the real one."""
    return [
        checks.Warning(
            f"{name} is not a setting and changes nothing.",
            hint=f"Is {meant} meant? docs/settings.md lists the settings.",
            id="troccas_site.W006",
        )
        for name, meant in sorted(env.misspelt().items())
    ]
