"""`request.visit.player` and the guest cookie."""

from collections.abc import Callable
from datetime import timedelta
from http.cookies import Morsel
from typing import Any

import pytest
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import services, sessions
from accounts.middleware import PlayerMiddleware, PlayerRequest, address_of, address_of_scope, note_seen
from accounts.models import GuestToken, Player, Session, User
from tests.accounts.conftest import MakeUser, sign_in
from tests.live import session_of, socket_scope

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def visit(
    view: Callable[[Any], object], *, cookie: str = "", user: User | None = None, secure: bool = False
) -> HttpResponseBase:
    """Send one request through the middleware; returns its answer."""
    request = RequestFactory().get("/", secure=secure)
    request.user = user or AnonymousUser()
    if cookie:
        request.COOKIES["guest"] = cookie

    def answer(request: HttpRequest) -> HttpResponse:
        view(request)
        return HttpResponse("x")

    return PlayerMiddleware(answer)(request)


def guest_cookie(response: HttpResponseBase) -> "Morsel[str] | None":
    return response.cookies.get("guest")


def test_a_page_that_does_not_ask_who_is_there_costs_no_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    raw = sessions.issue_guest_token(Player.objects.create())
    with django_assert_num_queries(0):
        response = visit(lambda request: None, cookie=raw)
    assert guest_cookie(response) is None
    assert not response.has_header("Vary")


def test_a_page_that_asks_many_times_costs_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    seen: list[Player | None] = []
    with django_assert_num_queries(1):
        response = visit(lambda request: seen.extend([request.visit.player, request.visit.player]), cookie=raw)
    assert seen == [player, player]
    assert response["Vary"] == "Cookie"


def test_a_member_and_their_user_cost_one_query(
    make_user: MakeUser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = make_user()
    seen: list[Player] = []
    with django_assert_num_queries(1):
        visit(lambda request: seen.append(request.visit.player), user=sessions.signed_in(ModelBackend(), user.pk))
        assert seen[0].user.email == user.email
    assert seen == [user.player]


def test_the_member_goes_before_a_guest_cookie(make_user: MakeUser) -> None:
    user = make_user()
    raw = sessions.issue_guest_token(Player.objects.create())
    seen: list[Player | None] = []
    visit(lambda request: seen.append(request.visit.player), cookie=raw, user=user)
    assert seen == [user.player]


def test_a_stranger_is_truly_none_and_nothing_is_made() -> None:
    seen: list[bool] = []
    response = visit(lambda request: seen.append(request.visit.player is None))
    assert seen == [True]
    assert not Player.objects.exists()
    assert guest_cookie(response) is None


@pytest.mark.parametrize("end", ["unknown", "revoked", "expired"])
def test_a_useless_cookie_means_nobody_and_is_deleted(end: str) -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    if end == "unknown":
        raw = "x" * len(raw)
    elif end == "revoked":
        sessions.revoke_guest_tokens(player)
    else:
        GuestToken.objects.update(last_used_at=timezone.now() - timedelta(days=181))
    seen: list[bool] = []
    response = visit(lambda request: seen.append(request.visit.player is None), cookie=raw)
    assert seen == [True]
    cookie = guest_cookie(response)
    assert cookie is not None
    assert cookie.value == ""
    assert cookie["max-age"] == 0


def test_a_first_need_makes_a_guest_whose_cookie_scripts_cannot_read() -> None:
    made: list[Player] = []

    def view(request: PlayerRequest) -> None:
        made.append(services.ensure_player(request))
        assert services.ensure_player(request) is made[0]
        assert request.visit.player is made[0]

    response = visit(view)
    cookie = guest_cookie(response)
    assert cookie is not None
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")
    assert cookie["max-age"] == 180 * 24 * 3600
    token = sessions.find_guest_token(cookie.value)
    assert token is not None
    assert [token.player] == made
    assert Player.objects.count() == 1


def test_over_https_the_cookie_is_secure() -> None:
    cookie = guest_cookie(visit(services.ensure_player, secure=True))
    assert cookie is not None
    assert cookie["secure"] is True


def test_a_cookie_in_use_is_set_anew_once_a_day() -> None:
    raw = sessions.issue_guest_token(Player.objects.create())
    assert guest_cookie(visit(lambda request: request.visit.player, cookie=raw)) is None
    GuestToken.objects.update(last_used_at=timezone.now() - timedelta(days=2))
    cookie = guest_cookie(visit(lambda request: request.visit.player, cookie=raw))
    assert cookie is not None
    assert cookie.value == raw
    assert guest_cookie(visit(lambda request: request.visit.player, cookie=raw)) is None


def test_a_member_from_the_command_line_gets_a_player_on_first_need(make_user: MakeUser) -> None:
    user = make_user(player=False)
    response = visit(services.ensure_player, user=user)
    assert Player.objects.get().user == user
    assert guest_cookie(response) is None


def test_presence_is_written_every_few_minutes_only() -> None:
    player = Player.objects.create()
    now = player.last_seen_at
    assert not note_seen(player, now=now + timedelta(minutes=4))
    assert note_seen(player, now=now + timedelta(minutes=6))
    assert not note_seen(player, now=now + timedelta(minutes=7))
    player.refresh_from_db()
    assert player.last_seen_at == now + timedelta(minutes=6)


def test_a_page_writes_that_its_player_was_there(guest: Player, client: Client) -> None:
    Player.objects.update(last_seen_at=timezone.now() - timedelta(hours=1))
    client.get("/en/you/")
    guest.refresh_from_db()
    assert guest.last_seen_at > timezone.now() - timedelta(minutes=1)


def test_a_socket_knows_the_guest_of_its_cookie() -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    assert services.player_of_scope(socket_scope(a="b", guest=raw)) == player
    assert services.player_of_scope({"headers": []}) is None
    sessions.revoke_guest_tokens(player)
    assert services.player_of_scope(socket_scope(guest=raw)) is None


def test_a_socket_knows_the_member_of_its_session_until_it_ends(make_user: MakeUser) -> None:
    user = make_user()
    cookie = session_of(user)
    assert services.player_of_scope(socket_scope(sessionid=cookie, guest="unknown")) == user.player
    assert services.player_of_scope(socket_scope(sessionid=cookie[:-1])) is None
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert services.player_of_scope(socket_scope(sessionid=cookie)) is None
    User.objects.filter(pk=user.pk).update(is_active=True, password="changed")  # which ends all sessions
    assert services.player_of_scope(socket_scope(sessionid=cookie)) is None
    assert Session.objects.count() == 1  # a socket writes nothing


def test_a_socket_knows_nobody_by_a_session_that_was_ended(make_user: MakeUser) -> None:
    cookie = session_of(make_user())
    Session.objects.all().delete()
    assert services.player_of_scope(socket_scope(sessionid=cookie)) is None


def test_times_are_told_in_the_time_zone_of_the_player_and_of_nobody_after(make_user: MakeUser) -> None:
    user = make_user()
    Player.objects.filter(user=user).update(time_zone="Asia/Tokyo")
    zones: list[str] = []
    again = sessions.signed_in(ModelBackend(), user.pk)
    visit(lambda request: zones.append((request.visit.player, timezone.get_current_timezone_name())[1]), user=again)
    assert zones == ["Asia/Tokyo"]
    assert timezone.get_current_timezone_name() == "Europe/Zurich"


def test_the_address_behind_two_proxies_is_the_same_for_a_socket(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "1.2.3.4,10.0.0.1"}, REMOTE_ADDR="10.0.0.2")
    lines = [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-for", b"10.0.0.1")]  # one of each proxy
    assert address_of(request) == address_of_scope({"client": ("10.0.0.2", 1), "headers": lines}) == "1.2.3.4"


def test_a_session_and_who_is_signed_in_are_one_query(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    client.get("/en/you/")
    with CaptureQueriesContext(connection) as asked:
        client.get("/en/you/")
    assert len([query for query in asked if 'FROM "accounts_session"' in query["sql"]]) == 1
    assert not [query for query in asked if 'FROM "accounts_user"' in query["sql"]]


def test_a_session_that_came_from_another_table_still_names_its_user(client: Client, make_user: MakeUser) -> None:
    user = make_user()
    sign_in(client)
    Session.objects.update(user=None)
    assert client.get("/en/you/").wsgi_request.user == user
    session = client.session
    session["seen"] = 1
    session.save()
    assert Session.objects.get().user == user


def test_a_session_of_somebody_who_may_not_sign_in_any_more_is_none(client: Client, make_user: MakeUser) -> None:
    user = make_user()
    sign_in(client)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not client.get("/en/you/").wsgi_request.user.is_authenticated
