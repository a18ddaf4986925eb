"""Django's database sessions, except that the row, and so every backup, only contains a digest of the browser's cookie,
and that the user is read with the row.

`session_key` is that digest everywhere; only the cookie itself has the value.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any, cast

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
from django.utils.crypto import constant_time_compare, get_random_string
from django.utils.functional import SimpleLazyObject

from accounts.models import Session, User
from core.prepared_queries import prepared

_COOKIE = 32  # letters and digits
_LENGTH = 40  # as many characters as the column of the key holds: 160 bits


def _digest(cookie: str) -> str:
    return sha256(cookie.encode(errors="surrogatepass")).hexdigest()[:_LENGTH]


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
