"""Whose a browser is, by its cookie: the session of a member, or the token of a guest.

Sessions are Django's in the database, except that the row, and so every backup, only contains a digest of the cookie, and
that the user is read with the row. `session_key` is that digest everywhere; only the cookie itself has the value. A
guest's token, too, exists in the cookie and, during a request, in memory. It is never stored or logged.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Final, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, load_backend
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.middleware import AuthenticationMiddleware as DjangosAuthentication
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.middleware import SessionMiddleware as DjangosMiddleware
from django.db import OperationalError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac
from django.utils.functional import SimpleLazyObject

from accounts.models import GuestToken, Player, Session, User
from core.prepared_queries import prepared

GUEST_LIFETIME: Final = timedelta(days=180)
"""How long a guest's token is valid after its last use."""
GUEST_RENEWAL: Final = timedelta(days=1)
"""How often at most a guest's token is renewed: its last use is written, and its cookie is set again."""
TOKEN_BYTES: Final = 32
TOKEN_LENGTH: Final = 43  # 32 bytes in unpadded base64
_COOKIE = 32  # letters and digits
_LENGTH = 40  # as many characters as the column of the key holds: 160 bits


def digest_of(raw: str) -> str:
    """The SHA-256 of a raw token in hexadecimal. The token is random, so it needs no salt and no slow hash."""
    return sha256(raw.encode(errors="replace")).hexdigest()


def _digest(cookie: str) -> str:
    return digest_of(cookie)[:_LENGTH]


@prepared
def _sessions_of(key: str, now: datetime) -> QuerySet[Session]:
    sessions = Session.objects.filter(session_key=key, expire_date__gt=now).order_by()
    return sessions.select_related("user__player")


class SessionStore(DatabaseStore):
    """The session of a browser whose cookie has the value `session_key`; a new session if that is None."""

    user: User | None = None
    """The user of the row, and their player, once it was read. `user_in` says whether they may act."""

    def __init__(self, session_key: str | None = None) -> None:
        self.cookie = session_key
        super().__init__(_digest(session_key) if session_key else None)

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row to be saved for these data."""
        row = cast("Session", super().create_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        return row

    @classmethod
    def of_key(cls, key: str | None = None) -> SessionStore:
        """The session with the key of a row, which is the digest."""
        store = cls()
        store._session_key = key
        return store

    def _get_session_from_db(self) -> Session | None:
        """Like Django's, with a prepared query that reads the user too."""
        row = next(iter(_sessions_of(self.session_key or "", timezone.now())), None)
        if row is None:
            self._session_key = None
        else:
            self.user = row.user
        return row

    def save(self, must_create: bool = False) -> None:
        """Save like Django, but raise OperationalError if the database is away: Django takes that for a session that
        has ended in the meantime."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise

    def _get_new_session_key(self) -> str:
        self.cookie = get_random_string(_COOKIE)  # 190 bits, so no two are the same
        return _digest(self.cookie)

    async def _aget_new_session_key(self) -> str:
        return self._get_new_session_key()


class SessionMiddleware(DjangosMiddleware):
    """Django's middleware, but writing the value whose digest is the key into the cookie, not the key."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie.value and isinstance(request.session, SessionStore):
            response.cookies[settings.SESSION_COOKIE_NAME] = request.session.cookie or ""
        return response


class AuthenticationMiddleware(DjangosAuthentication):
    """Django's middleware, but the user was read with the session."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = cast("User", SimpleLazyObject(lambda: _user_of_request(request)))


def _user_of_request(request: HttpRequest) -> User | AnonymousUser:
    if isinstance(request.session, SessionStore):
        user = user_in(request.session)
        if user is not None and _proves(request.session, user.get_session_auth_hash()):
            request._cached_user = user  # type: ignore[attr-defined]  # where Django keeps it
    return get_user(request)  # which else ends the session, or renews it after a change of the site's key


@prepared
def _users(key: int) -> QuerySet[User]:
    return User.objects.select_related("player").filter(pk=key).order_by()


def signed_in(backend: ModelBackend, key: int) -> User | None:
    """The user with this key, and their player, in one prepared query. Django calls this where `user_in` finds nobody."""
    user = next(iter(_users(int(key))), None)
    return user if backend.user_can_authenticate(user) else None


def user_of(cookie: str) -> User | None:
    """The user who is signed in with this session cookie, and their player; None if nobody is.

    Looked up like Django does for a request, but nothing is written: a socket cannot give its browser another cookie.
    """
    session = SessionStore(cookie or None)
    user = user_in(session)
    if user is None:
        return None
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return user if any(_proves(session, each) for each in hashes) else None


def user_in(session: SessionStore) -> User | None:
    """The user that a session names, and their player, if they may sign in. Their password may have changed since."""
    key, backend = session.get(SESSION_KEY), session.get(BACKEND_SESSION_KEY)
    if key is None or backend not in settings.AUTHENTICATION_BACKENDS:
        return None
    user = session.user
    if user is None or str(user.pk) != key:
        return load_backend(backend).get_user(key)
    return user if cast("ModelBackend", load_backend(backend)).user_can_authenticate(user) else None


def _proves(session: SessionStore, auth_hash: str) -> bool:
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), auth_hash)


# guests


def issue_guest_token(player: Player, raw: str = "") -> str:
    """Create a token for `player` and return its text; only its digest is saved.

    `raw` may be a text that nobody else can know. Raises IntegrityError if there is, or was, a token with this text.
    """
    raw = raw or token_urlsafe(TOKEN_BYTES)
    GuestToken.objects.create(player=player, digest=digest_of(raw))
    return raw


def guest_token_for(browser: str, form: str) -> str:
    """The raw token of the guest created by this `form` in this `browser`, whose secret only the browser knows."""
    mac = salted_hmac("accounts.guest", f"{browser} {form}", algorithm="sha256").digest()
    return urlsafe_b64encode(mac).decode().rstrip("=")


def find_guest_token(raw: str, *, now: datetime | None = None) -> GuestToken | None:
    """The valid token with this text, with its player; None if it is unknown, revoked or expired. One query."""
    if len(raw) != TOKEN_LENGTH:
        return None
    return next(iter(_living(digest_of(raw), (now or timezone.now()) - GUEST_LIFETIME)), None)


@prepared
def _living(digest: str, since: datetime) -> QuerySet[GuestToken]:
    return GuestToken.objects.select_related("player").filter(
        digest=digest,
        revoked_at__isnull=True,
        last_used_at__gt=since,
        player__user__isnull=True,
        player__merged_into__isnull=True,
        player__retired_at__isnull=True,
    )


def renew_guest_token(token: GuestToken, *, now: datetime | None = None) -> bool:
    """Note the token's use if the last note is over a day old.

    Returns whether it was noted and the cookie should be set again.
    """
    moment = now or timezone.now()
    if token.last_used_at > moment - GUEST_RENEWAL:
        return False
    return GuestToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(last_used_at=moment) == 1


def revoke_guest_tokens(player: Player) -> int:
    """Revoke all guest tokens of `player`. Returns how many were valid."""
    return GuestToken.objects.filter(player=player, revoked_at__isnull=True).update(revoked_at=timezone.now())
