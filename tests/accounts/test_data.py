"""Taking one's data along, and going for good."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from datetime import date, timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import availability, names, privacy, services
from accounts import permissions as account_permissions
from accounts.models import Player, Profile, Report, Session, User
from games.chat import services as chat
from games.models import Game, Punctuality, Seat
from games.services import agreements, boards, ending, play
from games.services.computers import computer_players
from games.table.notifications import words
from notices.models import Outbox
from tests.accounts.conftest import Chairs, MakeUser, confirm_password, sign_in
from tests.games.pace_kit import DAYS

pytestmark = pytest.mark.django_db

ADDRESS = "onna.cathomas@example.org"
NAME = "Onnamaria"


@pytest.fixture
def gion(make_user: MakeUser) -> Player:
    return make_user("gion@example.org").player


@pytest.fixture
def onna(client: Client, make_user: MakeUser, gion: Player) -> Player:
    """Somebody who has left traces everywhere: name, profile, hours, blocks, reports, keys, sessions."""
    user = make_user(ADDRESS)
    player = user.player
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    names.give(player, NAME)
    Profile.objects.create(player=player, village="Curaglia", text=f"I am {NAME}", languages=["rm-sursilv"])
    availability.keep_week(player, ((600, 1200),) * 7)
    day = availability.today_of(player) + timedelta(days=4)
    availability.plan(player, day, day)
    account_permissions.block(player, gion)
    account_permissions.block(gion, player)
    account_permissions.grant(player, account_permissions.EDITOR, "de")
    Report.objects.create(about=gion, by=player, reason="words", text=f"He called me, {NAME}, names.")
    Report.objects.create(about=player, by=gion, reason="name", text=f"{NAME} is no name.")
    services.claim(Player.objects.create(hand_order="low"), player)
    sign_in(client, ADDRESS)
    TOTP.activate(user, "ABCDEFGHIJKLMNOP")
    client.get(reverse("accounts:you"))
    return player


def all_text() -> str:
    """All that the database holds, but for what Django keeps of itself: every table, every column, and open sessions."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608  # our own tables
            found += [f"{model._meta.label}: {row}" for row in cursor.fetchall()]
        if "cache" in connection.introspection.table_names(cursor):
            cursor.execute("SELECT * FROM cache")
            found += [f"cache: {row}" for row in cursor.fetchall()]
    found += [str(session.get_decoded()) for session in Session.objects.all()]
    return "\n".join(found)


def test_the_traces_the_next_test_looks_for_are_there(onna: Player) -> None:
    text = all_text()
    assert text.count(NAME) >= 4
    assert text.count(ADDRESS) >= 3


def test_a_deleted_account_leaves_neither_name_nor_address_anywhere(client: Client, onna: Player, gion: Player) -> None:
    privacy.erase(User.objects.get(email=ADDRESS))
    text = all_text()
    assert NAME not in text
    assert ADDRESS.split("@", maxsplit=1)[0] not in text.lower()
    assert "Curaglia" not in text
    assert names.key_of(NAME) not in text
    row = Player.objects.get(pk=onna.pk)
    assert row.display_name == f"Former player {onna.number}"
    assert (row.user_id, row.hand_order, row.time_zone) == (None, "high", "")
    assert Report.objects.get().by is None
    assert not gion.blocks.exists()
    assert not account_permissions.may(row, account_permissions.EDITOR, "de")


def test_deleting_asks_who_it_is_says_what_is_lost_and_signs_out(client: Client, make_user: MakeUser) -> None:
    player = make_user().player
    sign_in(client)
    other = Client()
    sign_in(other)
    confirm_password(client)
    page = client.get(reverse("accounts:delete")).content.decode()
    assert f"Former player {player.number}" in page
    assert "a computer player acts for you; the others end." in page
    assert User.objects.exists()
    response = client.post(reverse("accounts:delete"), follow=True)
    assert "Your account is deleted." in response.content.decode()
    assert not User.objects.exists()
    for browser in (client, other):
        assert reverse("account_signup") in browser.get(reverse("accounts:you")).content.decode()
    assert client.get(reverse("accounts:person", args=[player.public_id])).status_code == 404
    assert sign_in(Client()).status_code == 200


def test_the_address_of_a_deleted_account_is_free_again(client: Client, make_user: MakeUser) -> None:
    privacy.erase(make_user())
    data = {"email": "onna@example.org", "password1": "neun-und-dreissig"}
    assert client.post(reverse("account_signup"), data).status_code == 302
    assert Player.objects.filter(user__isnull=False).count() == 1


def test_every_app_is_asked_to_let_go(chairs: Chairs, make_user: MakeUser) -> None:
    player = make_user().player
    chairs.seats, chairs.finished = {1: [player.pk, 99], 2: [player.pk, 98]}, {1}
    privacy.erase(player.user)
    assert chairs.seats == {1: [player.pk, 99], 2: [98]}


def test_if_an_app_fails_nothing_is_deleted(
    monkeypatch: pytest.MonkeyPatch, chairs: Chairs, make_user: MakeUser
) -> None:
    user = make_user()

    def fail(player: Player) -> bool:
        raise RuntimeError

    monkeypatch.setattr(chairs, "release", fail)
    with pytest.raises(RuntimeError):
        privacy.erase(user)
    assert User.objects.get().player.retired_at is None


@pytest.mark.parametrize(("stopped", "gone"), [(2, True), (3, False)])
def test_what_the_database_stops_changes_nothing_and_begins_again(
    monkeypatch: pytest.MonkeyPatch, chairs: Chairs, make_user: MakeUser, stopped: int, gone: bool
) -> None:
    user, left = make_user(), [stopped]
    player = Player.objects.get(user=user)

    def release(player: Player) -> bool:
        Player.objects.filter(pk=player.pk).update(name="Touched")
        if left[0]:
            left[0] -= 1
            raise OperationalError("deadlock detected")
        assert player.name == ""
        return False

    monkeypatch.setattr(chairs, "release", release)
    if gone:
        privacy.erase(user)
    else:
        with pytest.raises(OperationalError):
            privacy.erase(user)
    player.refresh_from_db()
    assert (player.retired_at is not None, player.name, User.objects.count()) == (gone, "", 0 if gone else 1)


@pytest.fixture
def games(onna: Player, gion: Player) -> tuple[Game, Game]:
    """A game that is over and one that goes on, both with onna and gion."""
    over, going = (play.start("troccas", [onna, gion, *computer_players(2)]) for _each in range(2))
    play.resign(over.pk, 1, request_id=uuid.uuid4(), by=gion)
    return Game.objects.get(pk=over.pk), Game.objects.get(pk=going.pk)


def test_the_notices_of_others_do_not_keep_the_name(onna: Player, gion: Player) -> None:
    game = play.start("troccas", [onna, gion, *computer_players(2)], pace=DAYS)
    until = timezone.now() + timedelta(days=2)
    ending.propose(game.pk, 0, counts=True, request_id=uuid.uuid4(), by=onna)
    agreements.propose_pause(game.pk, 0, until, request_id=uuid.uuid4(), by=onna)
    chat.propose(game.pk, onna, "open")
    asked = [row.params for row in Outbox.objects.filter(player=gion, event="game.asked")]

    def told() -> list[str]:
        return [found.line if (found := words("game.asked", params, gion, "en")) else "" for params in asked]

    assert [line.startswith(f"{NAME} proposes") for line in told()] == [True] * 3
    privacy.erase(User.objects.get(email=ADDRESS))
    assert [line.startswith(f"Former player {onna.number} proposes") for line in told()] == [True] * 3
    assert NAME not in all_text()


def test_games_stay_readable_for_the_others(
    client: Client, onna: Player, gion: Player, games: tuple[Game, Game]
) -> None:
    privacy.erase(User.objects.get(email=ADDRESS))
    client.force_login(gion.user)
    for game in games:
        page = client.get(reverse("games:table", args=[game.public_id]))
        assert page.status_code == 200
        assert NAME not in page.content.decode()
    record = client.get(reverse("games:record", args=[games[0].public_id])).json()
    assert record["players"][0] == f"Former player {onna.number}"


def test_nobody_waits_for_a_deleted_account(onna: Player, games: tuple[Game, Game]) -> None:
    privacy.erase(User.objects.get(email=ADDRESS))
    going = Game.objects.get(pk=games[1].pk)
    assert going.status != Game.Status.PLAYING or going.due_at is not None


def test_the_export_holds_what_is_kept_and_no_secret(onna: Player, games: tuple[Game, Game]) -> None:
    _name, kind, content = privacy.as_file(privacy.export_of(onna))
    assert kind == "application/json"
    export = json.loads(content)
    assert export["account"]["email"] == ADDRESS
    assert export["profile"]["village"] == "Curaglia"
    assert export["waking_hours"] == [[600, 1200]] * 7
    assert export["roles"][0]["role"] == "editor"
    assert export["reports_made"][0]["text"].startswith("He called me")
    assert [each["public_id"] for each in export["games"]["games"]] == [game.public_id for game in games]
    assert [each["record"] is None for each in export["games"]["games"]] == [False, True]
    text = content.decode()
    for secret in ("ABCDEFGHIJKLMNOP", "md5$", "pbkdf2", "is no name", "gion@example.org"):
        assert secret not in text


def test_the_export_of_a_game_that_goes_on_holds_own_actions_only(
    onna: Player, gion: Player, games: tuple[Game, Game]
) -> None:
    play.ready(games[1].pk, 0, expected=games[1].number, request_id=uuid.uuid4(), by=onna)
    exported = privacy.export_of(onna)["games"]["games"][1]  # type: ignore[index]  # plain data
    assert {entry["seat"] for entry in exported["actions"]} == {0}
    assert exported["record"] is None


def test_what_a_guest_played_is_in_the_export_of_the_member_they_became(gion: Player) -> None:
    guest = Player.objects.create()
    game = play.start("troccas", [guest, *computer_players(3)])
    play.ready(game.pk, 0, expected=game.number, request_id=uuid.uuid4(), by=guest)
    services.claim(guest, gion)
    (exported,) = privacy.export_of(gion)["games"]["games"]  # type: ignore[index]  # plain data
    assert [entry["text"] for entry in exported["actions"]] == ["sat", "ready"]


def test_a_seat_that_somebody_else_has_taken_over_is_in_the_export_with_what_was_done_there(
    onna: Player, gion: Player, games: tuple[Game, Game]
) -> None:
    """And nothing of how the game goes on, which the table may have closed."""
    play.ready(games[1].pk, 0, expected=games[1].number, request_id=uuid.uuid4(), by=onna)
    Seat.objects.filter(game=games[1], player=onna).update(player=computer_players(3)[-1])
    exported = privacy.export_of(onna)["games"]["games"][1]  # type: ignore[index]  # plain data
    assert (exported["seats"], exported["totals"], exported["record"]) == ([], None, None)
    assert [entry["text"] for entry in exported["actions"]] == ["sat", "ready"]


def test_of_deals_that_others_have_still_to_play_who_left_the_table_learns_nothing(onna: Player, gion: Player) -> None:
    shared = boards.create_set("evening", "troccas", size=4, count=1)
    game = play.start("troccas", [onna, gion, *computer_players(2)], board_set=shared)
    Seat.objects.filter(game=game, player=onna).update(player=computer_players(3)[-1])
    play.resign(game.pk, 1, request_id=uuid.uuid4(), by=gion)
    (exported,) = privacy.export_of(onna)["games"]["games"]  # type: ignore[index]  # plain data
    assert (exported["totals"], exported["record"]) == (None, None)


def test_how_punctual_somebody_was_is_in_the_export(onna: Player) -> None:
    Punctuality.objects.create(player=onna, day=date(2026, 11, 1), actions=7, timeouts=1)
    kept = privacy.export_of(onna)["games"]["punctuality"]  # type: ignore[index]  # plain data
    assert kept == [{"day": date(2026, 11, 1), "actions": 7, "timeouts": 1}]


def test_a_large_export_is_packed(monkeypatch: pytest.MonkeyPatch, onna: Player) -> None:
    monkeypatch.setattr(privacy, "LARGE", 100)
    name, kind, content = privacy.as_file(privacy.export_of(onna))
    assert (name, kind) == ("troccas.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert json.loads(archive.read("troccas.json"))["player"]["name"] == NAME


def test_the_file_is_made_for_its_owner_after_asking_who_it_is(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    assert client.post(reverse("accounts:export"))["Location"].startswith(reverse("account_reauthenticate"))
    confirm_password(client)
    assert client.get(reverse("accounts:export")).status_code == 200
    response = client.post(reverse("accounts:export"))
    assert response["Content-Disposition"] == 'attachment; filename="troccas.json"'
    assert "no-store" in response["Cache-Control"]
    assert json.loads(response.content)["account"]["email"] == "onna@example.org"
    answers = [client.post(reverse("accounts:export")).status_code for _each in range(5)]
    assert answers == [200] * 4 + [302]
    cache.clear()
