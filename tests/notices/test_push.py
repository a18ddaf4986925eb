"""Messages to devices: sealed for one browser, sent to a real push service, and never into our own network."""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import json
import os
import socket
import stat
import threading
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import Player
from notices import delivery as couriers
from notices import leases, outbox, push
from notices.leases import Never, Unreachable
from notices.models import Delivery, Preference, PushSubscription
from notices.push import Refused
from notices.registry import TurnMail
from tests.live import PATIENCE
from tests.notices.post_office import member

NOON = datetime.fromisoformat("2026-11-24T12:00+01:00")
MINUTE = timedelta(minutes=1)

# sealing


def test_the_example_of_rfc_8291_comes_out_byte_for_byte():
    private = int.from_bytes(push.from_base64url("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    sealed = push.seal(
        b"When I grow up, I want to be a watermelon",
        push.from_base64url("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        push.from_base64url("BTBZMqHH6r4Tts7J_aSIgg"),
        sender=ec.derive_private_key(private, ec.SECP256R1()),
        salt=push.from_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
        pad=False,
    )
    assert push.to_base64url(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def keys() -> tuple[bytes, bytes]:
    return push.public_bytes(ec.generate_private_key(ec.SECP256R1()).public_key()), os.urandom(16)


def test_the_length_of_a_message_tells_nothing_about_it():
    lengths = {len(push.seal(b"x" * size, *keys())) for size in (0, 1, 100, 511)}
    assert len(lengths) == 1
    assert len(push.seal(b"x" * push.LONGEST, *keys())) <= 4096


def test_what_is_too_long_or_for_no_real_key_is_refused():
    with pytest.raises(ValueError, match="too long"):
        push.seal(b"x" * (push.LONGEST + 1), *keys())
    for receiver, auth in [(b"\x04" + bytes(64), bytes(16)), (keys()[0], bytes(15)), (b"", b"")]:
        with pytest.raises(ValueError, match=r"key|point|length"):
            push.seal(b"x", receiver, auth)


# who we are


@pytest.fixture
def own_key(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.VAPID_PRIVATE_KEY = ""
    return tmp_path / "vapid.pem"


def test_the_key_is_made_once_and_only_its_owner_reads_it(own_key):
    first = push.public_key()
    assert stat.S_IMODE(own_key.stat().st_mode) == 0o600
    push._loaded.cache_clear()
    assert push.public_key() == first
    assert len(push.from_base64url(first)) == 65
    assert list(own_key.parent.iterdir()) == [own_key]


def test_a_key_in_the_settings_wins(own_key, settings):
    settings.VAPID_PRIVATE_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    assert push.public_key().startswith("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg")
    assert not own_key.exists()
    settings.VAPID_PRIVATE_KEY = "not a key"
    with pytest.raises(ImproperlyConfigured):
        push.public_key()


def statement(header: str) -> tuple[dict[str, str], dict[str, Any]]:
    """The claims of a VAPID header, after its signature was checked with the key it names."""
    kind, _space, rest = header.partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = fields["t"].split(".")
    raw = push.from_base64url(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), push.from_base64url(fields["k"]))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert kind == "vapid"
    assert json.loads(push.from_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    return fields, json.loads(push.from_base64url(claims))


@pytest.mark.parametrize(
    ("site", "who"),
    [("https://troccas.example", "https://troccas.example"), ("http://x", "mailto:noreply@example.org")],
)
def test_a_statement_names_the_service_us_and_a_day_at_most(own_key, settings, site, who):
    settings.SITE_URL, settings.DEFAULT_FROM_EMAIL = site, "Troccas <noreply@example.org>"
    fields, claims = statement(push.authorization("https://push.example.net:443/some/secret"))
    assert fields["k"] == push.public_key()
    assert claims["aud"] == "https://push.example.net:443"
    assert claims["sub"] == who
    assert time.time() + 3600 < claims["exp"] < time.time() + 24 * 3600


# where nothing is posted to


@pytest.mark.services
@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[64:ff9b::7f00:1]/x",
        "https://[2002:7f00:1::]/x",
        "https://2130706433/x",
        "https://127.1/x",
        "https://intranet/x",
        "https://user:word@push.example.net/x",
        "https://push.example.net:8443/x",
        "https://push.example.net:99999/x",
        "https://push.example.net/x y",
        "https://push.example.net/\r\nHost: x",
        "file:///etc/passwd",
        "https://",
        "",
        "https://push.example.net/" + "x" * 1000,
    ],
)
def test_an_endpoint_that_is_not_a_public_https_address_is_refused(endpoint, settings):
    settings.PUSH_TO_LOOPBACK = False
    with pytest.raises(Refused):
        push.check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/Q",
    ],
)
def test_the_push_services_there_are_may_be_written_to(endpoint):
    assert push.check_endpoint(endpoint).scheme == "https"


def test_a_public_name_that_leads_to_us_is_found_out(settings, monkeypatch):
    settings.PUSH_TO_LOOPBACK = False
    for inside in ("127.0.0.1", "::1", "192.168.1.1", "fe80::1%eth0"):
        found = [(0, 0, 0, "", ("8.8.8.8", 443)), (0, 0, 0, "", (inside, 443))]
        monkeypatch.setattr("socket.getaddrinfo", lambda *args, found=found, **kwargs: found)
        with pytest.raises(Never):
            push.post("https://rebinding.example.net/x", b"", {})


def test_addresses_of_the_internet_are_public_and_the_others_are_not():
    public = ["8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808"]
    private = [
        "0.0.0.0",
        "100.64.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "224.0.0.1",
        "240.0.0.1",
        "fc00::1",
        "fec0::1",
        "::",
        "ff02::1",
        "2001:db8::1",
    ]
    assert [text for text in public + private if push.is_public(ipaddress.ip_address(text))] == public


# sending


def subscribed(player: Player, browser, **fields: str) -> PushSubscription:
    options = {"language": "en", "device": "Firefox, Android"} | fields
    return push.subscribe(player, browser.endpoint, browser.p256dh, browser.auth, **options)


def happen(event: str, player: Player, moment: datetime = NOON, game: str = "bcdf", **options):
    row = outbox.put(event, player, {"game": game}, due_at=moment, **options)
    outbox.tell_due(moment)
    return row


@pytest.mark.django_db
def test_a_turn_arrives_on_the_device_and_only_there_it_can_be_read(village, push_service):
    player, browser = Player.objects.create(), push_service.browser()
    subscribed(player, browser, language="de")
    happen("game.turn", player)
    assert couriers.deliver_due(NOON) == 1
    assert couriers.deliver_due(NOON) == 0
    assert browser.read() == {
        "title": "Your turn bcdf",
        "body": "In de: <game.turn> & more.",
        "url": "/g/bcdf/",
        "tag": "game-bcdf",
        "lang": "de",
    }
    headers = browser.headers[0]
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["urgency"] == "normal"
    assert headers["ttl"] == "86400"
    assert len(headers["topic"]) == 32
    _fields, claims = statement(headers["authorization"])
    assert claims["aud"] == f"http://127.0.0.1:{push_service.port}"
    assert b"bcdf" not in browser.bodies[0]


@pytest.mark.django_db
def test_a_reminder_is_urgent_and_lives_no_longer_than_the_time_it_reminds_of(village, push_service):
    player, browser = Player.objects.create(), push_service.browser()
    subscribed(player, browser)
    happen("game.turn", player)
    couriers.deliver_due(NOON)
    happen("game.deadline", player, expires_at=NOON + 90 * MINUTE)
    couriers.deliver_due(NOON)
    assert [headers["urgency"] for headers in browser.headers] == ["normal", "high"]
    assert browser.headers[1]["ttl"] == str(90 * 60)
    assert browser.headers[0]["topic"] == browser.headers[1]["topic"]  # the second takes the place of the first


@pytest.mark.django_db
def test_every_device_gets_it_once_even_if_one_fails_first(village, push_service):
    player = Player.objects.create()
    browsers = [push_service.browser() for _ in range(2)]
    for browser in browsers:
        subscribed(player, browser)
    happen("game.turn", player)
    push_service.status, push_service.answer_headers = 503, {"Retry-After": "600"}
    assert couriers.deliver_due(NOON) == 0
    push_service.status = 201
    assert couriers.deliver_due(NOON + 9 * MINUTE) == 0  # as long as the service asked for
    assert couriers.deliver_due(NOON + 10 * MINUTE) == 2
    assert [len(browser.bodies) for browser in browsers] == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_message_that_came_is_noted_as_sent_before_anything_else_can_fail(village, push_service):
    player, browser = Player.objects.create(), push_service.browser()
    subscribed(player, browser)
    row = happen("game.turn", player)

    def locked(execute, sql: str, *more: Any) -> Any:
        if sql.startswith(f'UPDATE "{PushSubscription._meta.db_table}"'):
            raise OperationalError("database is locked")
        return execute(sql, *more)

    with connection.execute_wrapper(locked):
        assert couriers.deliver_due(NOON) == 1
    assert row.deliveries.get().state == Delivery.State.SENT
    assert couriers.deliver_due(NOON + 60 * MINUTE) == 0
    assert len(browser.bodies) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("status", [404, 410])
def test_a_device_the_service_does_not_know_any_more_is_forgotten(village, push_service, status):
    player, browser = Player.objects.create(), push_service.browser()
    subscribed(player, browser)
    happen("game.turn", player)
    happen("game.turn", player, game="ghjk")
    push_service.status = status
    assert couriers.deliver_due(NOON) == 0
    assert not PushSubscription.objects.exists()
    assert not Delivery.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("status", [400, 403, 413, 301])
def test_a_service_that_refuses_is_not_asked_again(village, push_service, status):
    player = Player.objects.create()
    subscribed(player, push_service.browser())
    row = happen("game.turn", player)
    push_service.status, push_service.answer_headers = status, {"Location": "http://127.0.0.1:1/"}
    couriers.deliver_due(NOON)
    delivery = row.deliveries.get()
    assert (delivery.state, delivery.reason) == ("given-up", f"the push service refused ({status})")


@pytest.mark.django_db
def test_a_service_that_is_away_is_asked_again(village, push_service):
    player = Player.objects.create()
    browser = push_service.browser()
    browser.endpoint = "http://127.0.0.1:9/x"
    subscribed(player, browser)
    row = happen("game.turn", player)
    couriers.deliver_due(NOON)
    assert row.deliveries.get().due_at == NOON + leases.WAITS[0]


@pytest.mark.django_db
def test_a_service_that_is_away_costs_the_other_devices_no_try(village, push_service):
    browsers = [push_service.browser() for _ in range(3)]
    for at, browser in enumerate(browsers[:2]):
        browser.endpoint = f"http://127.0.0.1:9/{at}"
    for browser in browsers:
        subscribed(Player.objects.create(), browser)
    for player in Player.objects.all():
        happen("game.turn", player)
    assert couriers.deliver_due(NOON) == 1
    assert sorted(Delivery.objects.values_list("attempts", flat=True)) == [0, 1, 1]


def test_a_service_that_answers_drop_by_drop_holds_nobody(settings, monkeypatch):
    settings.PUSH_TO_LOOPBACK = True
    monkeypatch.setattr(push, "_WHOLE", 0.3)
    ended = threading.Event()

    def drip(listening: socket.socket) -> None:
        taken, _address = listening.accept()
        with taken, contextlib.suppress(OSError):
            while not ended.wait(0.05):
                taken.sendall(b"H")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        began = time.monotonic()
        with pytest.raises(Unreachable):
            push.post(f"http://127.0.0.1:{listening.getsockname()[1]}/x", b"", {})
        assert time.monotonic() - began < PATIENCE  # without a limit it would never end
        ended.set()
        thread.join()


@pytest.mark.django_db
def test_quiet_hours_hold_for_devices_also_when_it_will_be_too_late(village, push_service):
    player = Player.objects.create()
    Preference.objects.create(player=player)
    subscribed(player, push_service.browser())
    night = NOON + timedelta(hours=11)
    row = happen("game.deadline", player, night, expires_at=night + timedelta(hours=1))
    assert couriers.deliver_due(night) == 0
    assert couriers.deliver_due(row.deliveries.get().due_at) == 0
    assert row.deliveries.get().reason == "too late"


@pytest.mark.django_db
def test_a_player_has_five_devices_and_the_silent_one_makes_room(push_service):
    player = Player.objects.create()
    browsers = [push_service.browser() for _ in range(6)]
    for browser in browsers:
        subscribed(player, browser)
    kept = set(PushSubscription.objects.values_list("endpoint", flat=True))
    assert kept == {browser.endpoint for browser in browsers[1:]}


@pytest.mark.django_db
def test_a_browser_belongs_to_whoever_asked_last(push_service):
    browser, first, second = push_service.browser(), Player.objects.create(), Player.objects.create()
    subscribed(first, browser)
    subscribed(second, browser)
    assert PushSubscription.objects.get().player == second


@pytest.mark.django_db
def test_a_trial_reaches_the_devices_only(push_service, client):
    player, browser = member(), push_service.browser()
    subscribed(player, browser)
    client.force_login(player.user)
    assert client.post("/en/notices/preferences/try/", {"channel": "push"}).status_code == 302
    outbox.tell_due()
    assert couriers.deliver_due() == 1
    assert browser.read()["url"] == "/en/notices/preferences/"
    assert base64.urlsafe_b64decode(browser.auth + "==") == browser.secret


@pytest.mark.django_db
def test_after_letters_that_took_long_the_messages_are_not_taken_by_another_too(
    village, mail_server, push_service, monkeypatch
):
    reader, browser = member(), push_service.browser()
    Preference.objects.create(player=reader, turn_mail=TurnMail.EACH)
    subscribed(reader, browser)
    happen("game.turn", reader)
    clock, looked = [NOON + 5 * MINUTE], []
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def slow_server() -> None:
        clock[0] += leases.LEASE + MINUTE

    mail_server.before_answer = slow_server
    send = push.send

    def while_another_looks(*message: Any, **how: Any) -> None:
        looked.append(leases.take(Delivery.Channel.PUSH, timezone.now(), 10))
        send(*message, **how)

    monkeypatch.setattr(push, "send", while_another_looks)
    assert couriers.deliver_due() == 2
    assert (len(mail_server.letters), len(browser.bodies)) == (1, 1)
    assert looked == [[]]
    assert {row.state for row in Delivery.objects.all()} == {Delivery.State.SENT}


@pytest.mark.django_db
def test_who_was_held_up_while_taking_messages_leaves_them(village, push_service, monkeypatch):
    reader, browser = Player.objects.create(), push_service.browser()
    subscribed(reader, browser)
    happen("game.turn", reader)
    clock, take = [NOON], leases.take
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def slowly(*what: Any) -> list[Delivery]:
        taken = take(*what)
        clock[0] += leases.LEASE
        return taken

    with monkeypatch.context() as patch:
        patch.setattr(leases, "take", slowly)
        assert couriers.deliver_due() == 0
    assert browser.bodies == []
    assert couriers.deliver_due() == 1  # given back at once
