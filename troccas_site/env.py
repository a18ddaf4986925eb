"""Typed reading of settings from the environment. An empty variable counts as not set."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from core.files import read_or_create


def text(name: str, default: str = "") -> str:
    """The variable as text without surrounding white space."""
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """The variable as yes or no; no by default. Raises ImproperlyConfigured for anything else."""
    value = text(name).lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")
    return False


def number(name: str, default: int) -> int:
    """The variable as a whole number. Raises ImproperlyConfigured for anything else."""
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from None


def choice(name: str, choices: Sequence[str]) -> str:
    """The variable as one of `choices`, the first by default. Raises ImproperlyConfigured for anything else."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def items(name: str) -> list[str]:
    """The variable as a list: its items are separated by commas."""
    return [item.strip() for item in text(name).split(",") if item.strip()]


_DATABASE: Final = "DATABASE_URL must look like postgres://user:password@host:5432/name"
_MAIL: Final = "EMAIL_URL must look like smtp+tls://user:password@host:587"


def postgres(address: str) -> dict[str, object] | None:
    """The database at `postgres://user:password@host:port/name?option=value`, as Django describes it.

    None for an empty address. A `host` option (a socket directory) wins over the host in the address. Raises
    ImproperlyConfigured for another scheme, a missing name or what is no address, without repeating the password.
    """
    if not address:
        return None
    parts, port = _split(address, _DATABASE)
    database = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not database:
        raise ImproperlyConfigured(_DATABASE)
    options: dict[str, object] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "OPTIONS": options,
    }


def _split(address: str, refusal: str) -> tuple[SplitResult, int | None]:
    """The parts of an address, and its port. Raises ImproperlyConfigured with the text `refusal`."""
    try:
        parts = urlsplit(address)
        return parts, parts.port
    except ValueError:  # its text may hold a piece of a password that is not percent-encoded
        raise ImproperlyConfigured(refusal) from None


def secret_key(path: Path) -> str:
    """The key in the file `path`, which is created on first use."""
    return read_or_create(path, lambda: get_random_secret_key().encode("ascii")).decode("ascii").strip()


@dataclass(frozen=True, slots=True)
class Mail:
    backend: str = "django.core.mail.backends.console.EmailBackend"
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def mail_settings(address: str) -> Mail:
    """The mail server at `smtp://`, `smtp+tls://` (STARTTLS) or `smtps://` user:password@host:port.

    With an empty address, mail is printed on the console. Raises ImproperlyConfigured for another scheme, a missing
    host or what is no address, without repeating the password.
    """
    if not address:
        return Mail()
    parts, port = _split(address, _MAIL)
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise ImproperlyConfigured(_MAIL)
    return Mail(
        backend="django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname,
        port=port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtps",
    )
