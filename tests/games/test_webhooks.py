"""Webhooks: called with a signature when something is asked, never with a card, never inside, and turned off in the end."""

from __future__ import annotations

import hashlib
import hmac
import http.server
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import registry
from accounts.models import Player
from accounts.tokens import NOTICE
from games.webhooks import privacy, services, tasks
from games.webhooks.exceptions import WebhookError
from games.webhooks.models import Call, Webhook
from notices import delivery, outbox, push
from notices.leases import LEASE, WAITS
from notices.models import Outbox
from tests.games import chat_kit, pace_kit
from tests.games.api_kit import Program

pytestmark = pytest.mark.django_db


@dataclass
class Other:
    """Somebody's server on this machine: what it was sent, and with which status it answers."""

    url: str = ""
    status: int = 204
    calls: list[tuple[dict[str, str], dict[str, Any], bytes]] = field(default_factory=list)
    before_answer: Any = None


@pytest.fixture
def other(settings) -> Iterator[Other]:
    settings.PUSH_TO_LOOPBACK = True
    found = Other()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # as http.server calls it
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.calls.append((dict(self.headers), json.loads(body), body))
            if found.before_answer is not None:
                found.before_answer()
            self.send_response(found.status)
            self.send_header("Location", found.url + "/elsewhere")
            self.end_headers()

        def log_message(self, *_arguments: Any) -> None:
            """Nothing on the screen."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def people():
    """Four who do everything themselves."""
    found = [chat_kit.member(name) for name in ("Anna", "Beat", "Clau", "Duri")]
    Player.objects.filter(pk__in=[player.pk for player in found]).update(forced_cards="ask")
    return [Player.objects.get(pk=player.pk) for player in found]


def tell() -> None:
    """Let the worker take up what is due."""
    outbox.tell_due(timezone.now() + timedelta(minutes=3))


def test_who_is_asked_is_called_with_a_signature_and_no_card(people, other):
    for player in people:
        services.register(player, other.url)
    game = pace_kit.table(people)
    asked = pace_kit.asked(game)
    tell()
    assert tasks.call_due() > 0
    headers, said, body = next(call for call in other.calls if call[1]["asked"])
    webhook = Webhook.objects.get(player=asked)
    assert headers["Troccas-Webhook"] == str(webhook.pk)
    assert set(said) == {"game", "number", "status", "asked", "url"}
    assert (said["game"], said["number"], said["asked"]) == (game.public_id, pace_kit.fresh(game).number, "cut")
    parts = dict(part.split("=") for part in headers["Troccas-Signature"].split(","))
    expected = hmac.new(services.secret_of(webhook).encode(), f"{parts['t']}.".encode() + body, hashlib.sha256)
    assert hmac.compare_digest(parts["v1"], expected.hexdigest())
    assert not Call.objects.exists()
    assert tasks.call_due() == 0, "each is told once"
    assert len([call for call in other.calls if call[1]["asked"]]) == 1


def test_one_about_another_game_is_not_called(people, other):
    first, second = pace_kit.table(people), pace_kit.table(people)
    Outbox.objects.all().update(done_at=timezone.now())
    services.register(pace_kit.asked(second), other.url, first)
    player = pace_kit.asked(second)
    outbox.put("game.turn", player, {"game": second.public_id, "number": second.number})
    tell()
    assert not Call.objects.exists()
    outbox.put("game.turn", player, {"game": first.public_id, "number": first.number})
    tell()
    assert Call.objects.count() == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x", "https://127.0.0.1/x", "https://10.0.0.7/", "https://localhost/", "https://[::1]/x",
        "https://example.org:8443/", "https://me:secret@example.org/", "ftp://example.org/", "https://192.168.1.1/", "x",
        "https://[::ffff:10.0.0.1]/", "https://example.org/#part", "https://example.org/" + "x" * 600,
    ],
)  # fmt: skip
def test_an_address_inside_is_not_registered(people, url):
    with pytest.raises(WebhookError) as caught:
        services.register(people[0], url)
    assert caught.value.code == "no-address"
    assert not Webhook.objects.exists()


def test_a_name_that_leads_inside_is_not_connected_to(people, monkeypatch):
    """The name was public when it was registered, and is looked up anew with each call."""

    def inside(*_arguments: Any, **_how: Any) -> list[Any]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("93.184.216.34", "10.0.0.1")
        ]

    def connected(*_arguments: Any, **_how: Any) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(socket, "getaddrinfo", inside)
    monkeypatch.setattr(socket, "create_connection", connected)
    webhook = services.register(people[0], "https://example.org/x")
    game = pace_kit.table(people)
    Call.objects.create(webhook=webhook, game=game, due_at=timezone.now())
    assert tasks.call_due() == 0
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.problem) == (1, "not a public host")


def test_a_redirect_is_not_followed_and_counts_as_a_failure(people, other):
    other.status = 302
    webhook = services.register(people[0], other.url)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    assert tasks.call_due() == 0
    assert len(other.calls) == 1
    webhook.refresh_from_db()
    assert webhook.problem == "status 302"


def test_it_is_tried_again_later_and_later_then_turned_off_and_its_owner_told(people, other):
    other.status = 500
    webhook = services.register(people[0], other.url)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    moment, waits = timezone.now(), []
    while Call.objects.exists():
        assert tasks.call_due(moment) == 0
        row = Call.objects.first()
        if row is not None:
            assert tasks.call_due(row.due_at - timedelta(seconds=1)) == 0
            waits.append(row.due_at - moment)
            moment = row.due_at
    assert waits == sorted(waits)
    assert len(other.calls) == len(waits) + 1
    webhook.refresh_from_db()
    assert webhook.off_at is not None
    assert Outbox.objects.filter(player=people[0], event="webhooks.off").count() == 1
    Outbox.objects.exclude(event="webhooks.off").delete()
    tell()
    notices = Program(people[0], (NOTICE,)).ask("/notices")["results"]
    assert [notice["subject"] for notice in notices] == ["A webhook of yours was turned off"]
    assert notices[0]["line"].startswith("127.0.0.1 did not answer")
    services.renew(people[0], webhook.pk)
    assert Program(people[0], (NOTICE,)).ask("/notices")["results"] == []


def test_an_address_that_is_gone_is_not_asked_again(people, other):
    other.status = 410
    webhook = services.register(people[0], other.url)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    tasks.call_due()
    webhook.refresh_from_db()
    assert (webhook.off_at is not None, Call.objects.exists()) == (True, False)


def test_an_address_that_is_gone_is_not_said_to_have_kept_silent(client, people, other):
    other.status = 410
    webhook = services.register(people[0], other.url)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    tasks.call_due()
    Outbox.objects.exclude(event="webhooks.off").delete()
    tell()
    (notice,) = Program(people[0], (NOTICE,)).ask("/notices")["results"]
    assert notice["line"].startswith("127.0.0.1 answered that it wants no more calls")
    client.force_login(people[0].user)
    page = client.get(reverse("webhooks:list")).content.decode()
    assert "it wants no more calls" in page
    assert "nobody answered" not in page


def test_two_workers_make_one_call_and_a_lease_that_ran_out_is_taken_up(people, other):
    webhook = services.register(people[0], other.url)
    row = Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    Call.objects.filter(pk=row.pk).update(lease_until=timezone.now() + timedelta(minutes=1))
    assert tasks.call_due() == 0
    assert tasks.call_due(timezone.now() + timedelta(minutes=2)) == 1
    assert len(other.calls) == 1


def test_a_lease_that_a_wrong_clock_wrote_is_taken_up(people, other):
    webhook = services.register(people[0], other.url)
    ends = timezone.now() + timedelta(days=400)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now(), lease_until=ends)
    assert tasks.call_due() == 1


def test_an_address_that_is_away_is_tried_for_as_long_as_is_said_however_many_games_wait(people, other):
    other.status = 503
    webhook = services.register(people[0], other.url)
    began = moment = timezone.now()
    for _ in range(6):
        Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=moment)
    while Call.objects.exists():
        moment = Call.objects.earliest("due_at").due_at
        tasks.call_due(moment)
    assert moment - began >= sum(WAITS, timedelta())
    webhook.refresh_from_db()
    assert webhook.off_at == moment


def test_once_it_is_back_all_that_waits_for_it_is_told_at_once(people, other):
    other.status = 503
    webhook = services.register(people[0], other.url)
    games = [pace_kit.table(people) for _ in range(3)]
    moment = timezone.now()
    for game in games[:2]:
        Call.objects.create(webhook=webhook, game=game, due_at=moment)
    for _ in range(3):
        tasks.call_due(moment)
        moment = Call.objects.earliest("due_at").due_at
    other.status = 204
    other.calls.clear()
    moment -= timedelta(minutes=10)  # nothing waits that long any more
    Call.objects.create(webhook=webhook, game=games[2], due_at=moment)
    assert tasks.call_due(moment) + tasks.call_due(moment) == 3
    assert {call[1]["game"] for call in other.calls} == {game.public_id for game in games}


def test_addresses_that_take_their_time_do_not_hold_up_the_letters(people, monkeypatch):
    """The same thread sends them. What is left is called after them, and by one worker only."""
    clock = timezone.now()
    game = pace_kit.table(people)
    for number in range(3):
        webhook = services.register(people[0], f"https://example.org/{number}")
        Call.objects.create(webhook=webhook, game=game, due_at=clock)
    called = []

    def slow(url: str, *_rest: Any) -> push.PushResponse:
        nonlocal clock
        lease = Call.objects.get(webhook__url=url).lease_until
        assert lease is not None
        assert lease - clock == LEASE
        clock += timedelta(seconds=19)
        called.append(url)
        return push.PushResponse(204, {})

    monkeypatch.setattr(timezone, "now", lambda: clock)
    monkeypatch.setattr(push, "post", slow)
    assert tasks.call_due() == 2
    assert tasks.call_due() == 1
    assert len(set(called)) == 3


def test_why_it_did_not_answer_is_said_of_an_address_and_not_of_a_push_service(people, other):
    with socket.socket() as nobody:  # bound, but nobody listens
        nobody.bind(("127.0.0.1", 0))
        webhook = services.register(people[0], f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
        tasks.call_due()
    webhook.refresh_from_db()
    assert webhook.problem == "no answer (ConnectionRefusedError)"


def test_what_happens_while_it_is_called_is_told_by_another_call(people, other):
    webhook = services.register(people[0], other.url)
    game = pace_kit.table(people)
    row = Call.objects.create(webhook=webhook, game=game, due_at=timezone.now())
    Call.objects.filter(pk=row.pk).update(events=1)
    original = push.post

    def meanwhile(*arguments: Any) -> Any:
        Call.objects.filter(pk=row.pk).update(events=2)
        return original(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(push, "post", meanwhile)
        assert tasks.call_due() == 1
    assert Call.objects.filter(pk=row.pk, lease_until=None).exists()
    assert tasks.call_due() == 1
    assert not Call.objects.exists()


def test_the_thread_that_sends_letters_makes_the_calls(people, other):
    webhook = services.register(people[0], other.url)
    Call.objects.create(webhook=webhook, game=pace_kit.table(people), due_at=timezone.now())
    delivery.deliver_due()
    assert len(other.calls) == 1


def test_by_the_api_it_is_registered_listed_renewed_and_removed(people, settings):
    settings.PUSH_TO_LOOPBACK = False
    anna, beat = Program(people[0], (NOTICE,)), Program(people[1], (NOTICE,))
    game = pace_kit.table(people)
    made = anna.send("/webhooks", 201, {"url": "https://example.org/x", "game": game.public_id})
    assert len(made["secret"]) == 64
    assert "secret" not in anna.ask("/webhooks")[0]
    assert beat.ask("/webhooks") == []
    assert beat.send(f"/webhooks/{made['id']}/renew", 404, {})["code"] == "no-such-webhook"
    assert anna.send(f"/webhooks/{made['id']}/renew", 200, {})["secret"] != made["secret"]
    assert anna.send("/webhooks", 422, {"url": "https://10.0.0.1/"})["code"] == "no-address"
    unknown = anna.send("/webhooks", 404, {"url": "https://example.org/", "game": "nothing"})
    assert (unknown["code"], unknown["detail"]) == ("not-found", "There is no game with this id.")
    assert [wrong["where"] for wrong in unknown["errors"]] == ["game"]
    stranger = Program(chat_kit.member("Emma"), (NOTICE,))
    assert (
        stranger.send("/webhooks", 403, {"url": "https://example.org/", "game": game.public_id})["code"]
        == "not-your-seat"
    )
    for number in range(9):
        anna.send("/webhooks", 201, {"url": f"https://example.org/{number}"})
    assert anna.send("/webhooks", 422, {"url": "https://example.org/z"})["code"] == "too-many-webhooks"
    assert anna.client.post(f"/api/v1/play/webhooks/{made['id']}/remove", headers=anna.headers).status_code == 204
    assert len(anna.ask("/webhooks")) == 9


def test_on_its_page_the_secret_is_shown_once(client, people):
    player = people[0]
    client.force_login(player.user)
    page = client.post(reverse("webhooks:list"), {"url": "https://example.org/x", "game": ""}).content.decode()
    webhook = Webhook.objects.get(player=player)
    assert services.secret_of(webhook) in page
    assert services.secret_of(webhook) not in client.get(reverse("webhooks:list")).content.decode()
    refused = client.post(reverse("webhooks:list"), {"url": "http://example.org/x"})
    assert (refused.status_code, "begin with https://" in refused.content.decode()) == (422, True)
    client.post(reverse("webhooks:change", args=[webhook.pk]), {"do": "remove"})
    assert not Webhook.objects.exists()


def test_it_goes_with_its_owner_and_its_secret_is_in_no_export(people):
    assert privacy in registry.belongings
    webhook = services.register(people[0], "https://example.org/x")
    told = str(privacy.export(people[0]))
    assert "https://example.org/x" in told
    assert services.secret_of(webhook) not in told
    assert webhook.nonce not in told
    privacy.merge(people[0], people[1])
    assert Webhook.objects.get().player == people[1]
    assert privacy.release(people[1]) is False
    assert not Webhook.objects.exists()
    with pytest.raises(WebhookError) as caught:
        services.register(pace_kit.people(1)[0], "https://example.org/x")
    assert caught.value.code == "members-only-webhooks"
