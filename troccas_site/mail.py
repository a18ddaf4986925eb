"""The mail server's address, as one variable."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, slots=True)
class Mail:
    """What Django's mail settings need."""

    backend: str = "django.core.mail.backends.console.EmailBackend"
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def mail_settings(address: str) -> Mail:
    """Read `smtp://`, `smtp+tls://` (STARTTLS) or `smtps://` user:password@host:port; an empty address prints mail.

    Raises ImproperlyConfigured for another scheme or a missing host, without repeating the password.
    """
    if not address:
        return Mail()
    parts = urlsplit(address)
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise ImproperlyConfigured("EMAIL_URL must look like smtp+tls://user:password@host:587")
    return Mail(
        backend="django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtps",
    )
