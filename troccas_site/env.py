"""Typed reading of settings from the environment. An empty variable counts as not set."""

import errno
import os
from base64 import urlsafe_b64decode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from email.utils import getaddresses
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from core.files import read_or_create

_names: Final[set[str]] = set()
"""The names of all settings: every one is read when the site starts."""
_ALIKE: Final = 0.85  # DATABSE_URL is 0.96 like DATABASE_URL; what a machine has anyway is less like any name
_ESCAPES: Final = "in a password, / is written %2F, # is %23, ? is %3F, [ is %5B and % is %25"


class WrongSetting(ImproperlyConfigured):
    """A variable that cannot be used: the message, one sentence, begins with its name."""


def text(name: str, default: str = "") -> str:
    """The variable as text without surrounding white space."""
    _names.add(name)
    return os.environ.get(name, "").strip() or default


def misspelt() -> dict[str, str]:
    """The variables that are no settings, but are called nearly like one that is not set, which may be meant."""
    unset = [name for name in sorted(_names) if not text(name)]
    others = [name for name, value in os.environ.items() if value.strip() and name not in _names]
    alike = {name: get_close_matches(name.upper(), unset, n=1, cutoff=_ALIKE) for name in others}
    return {name: found[0] for name, found in alike.items() if found}


def flag(name: str) -> bool:
    """The variable as yes or no; no by default. Raises WrongSetting for anything else."""
    value = text(name).lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise WrongSetting(f"{name} must be 1 or 0, not {value!r}")
    return False


def number(name: str, default: int) -> int:
    """The variable as a whole number, 0 or more. Raises WrongSetting for anything else."""
    value = text(name)
    try:
        found = int(value) if value else default
    except ValueError:
        raise WrongSetting(f"{name} must be a whole number, not {value!r}") from None
    if found < 0:
        raise WrongSetting(f"{name} must be 0 or more, not {value!r}")
    return found


def choice(name: str, choices: Sequence[str]) -> str:
    """The variable as one of `choices`, the first by default. Raises WrongSetting for anything else."""
    value = text(name, choices[0])
    if value not in choices:
        raise WrongSetting(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def items(name: str) -> list[str]:
    """The variable as a list: its items are separated by commas."""
    return [item.strip() for item in text(name).split(",") if item.strip()]


def addresses(name: str) -> list[tuple[str, str]]:
    """The variable as mail addresses with their names ("" without one), separated by commas.

    Raises WrongSetting for anything else.
    """
    found = getaddresses([text(name).rstrip(",")]) if text(name) else []
    for _name, address in found:
        user, _at, host = address.partition("@")
        if not user or not host or len(address.split()) > 1:
            raise WrongSetting(f"{name} must be a mail address such as noreply@host.example, not {text(name)!r}")
    return found


def key(name: str) -> str:
    """The variable as text, 32 bytes in base64url. Raises WrongSetting for anything else, without repeating it."""
    value = text(name)
    try:
        is_key = len(urlsafe_b64decode(value + "=" * (-len(value) % 4))) == 32
    except ValueError:
        is_key = False
    if value and not is_key:
        raise WrongSetting(f"{name} must be 32 bytes in base64url")
    return value


def _parts(address: str, schemes: Collection[str], refusal: str) -> SplitResult:
    """The parts of an address with a host or a path. Raises WrongSetting(`refusal`), which must not repeat a password.

    A password with a character such as / looks like a port: the error that Python raises then repeats the password.
    """
    try:
        parts = urlsplit(address)
        usable = parts.scheme in schemes and (parts.port or 0) >= 0
    except ValueError:
        usable = False
    if not usable:
        raise WrongSetting(refusal) from None
    return parts


def url(name: str, default: str, schemes: Collection[str]) -> str:
    """The variable as an address with one of these schemes and a host, without a slash at its end.

    Raises WrongSetting for anything else, without repeating it.
    """
    address = text(name, default)
    if not address:
        return ""
    refusal = f"{name} must look like {next(iter(schemes))}://host.example or {next(iter(schemes))}://host.example:1234"
    parts = _parts(address, schemes, refusal)
    if not (parts.hostname or (parts.scheme == "unix" and parts.path)):
        raise WrongSetting(refusal)
    return address.rstrip("/")


def postgres(address: str) -> dict[str, object] | None:
    """The database at `postgres://user:password@host:port/name?option=value`, as Django describes it.

    None for an empty address. A `host` option (a socket directory) wins over the host in the address. Raises
    WrongSetting for another scheme or a missing name, without repeating the password.
    """
    if not address:
        return None
    refusal = f"DATABASE_URL must look like postgres://user:password@host:5432/name ({_ESCAPES})"
    parts = _parts(address, {"postgres", "postgresql"}, refusal)
    database = unquote(parts.path.removeprefix("/"))
    if not database:
        raise WrongSetting(refusal)
    options = dict(parse_qsl(parts.query))
    import psycopg  # noqa: PLC0415  # only sites on PostgreSQL need it

    try:
        psycopg.conninfo.make_conninfo("", **options)
    except psycopg.ProgrammingError:
        raise WrongSetting(refusal) from None
    host = options.pop("host", None) or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
    }


def folder(name: str, default: Path) -> Path:
    """The variable as a folder where can be written, made if there is none. Raises WrongSetting if that cannot be."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise WrongSetting(f"{name}: {path} cannot be used: {error.strerror}") from error
    return path


def secret_key(path: Path) -> str:
    """The key in the file `path`, which is created on first use. Raises WrongSetting if that cannot be."""
    try:
        return read_or_create(path, lambda: get_random_secret_key().encode("ascii")).decode("ascii").strip()
    except OSError as error:
        raise WrongSetting(f"DATA_DIR: {path.parent} cannot be used: {error.strerror}") from error


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

    With an empty address, mail is printed on the console. Raises WrongSetting for another scheme or a missing host,
    without repeating the password.
    """
    if not address:
        return Mail()
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    refusal = f"EMAIL_URL must look like smtp+tls://user:password@host:587 ({_ESCAPES})"
    parts = _parts(address, ports, refusal)
    if not parts.hostname:
        raise WrongSetting(refusal)
    return Mail(
        backend="django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtps",
    )
