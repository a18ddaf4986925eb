"""Somebody's page, and what one can do there: block, report."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import permissions as account_permissions
from accounts import registry, services
from accounts.models import Block, Player, Profile, Report, User
from core.registry import Registry
from tests.accounts.conftest import MakeUser, sign_in

pytestmark = pytest.mark.django_db

FIELDS = {
    "name": "Gion Antoni",
    "languages": ["rm-sursilv", "de"],
    "village": "  Curaglia ",
    "canton": "GR",
    "text": "Jeu dun troccas.\r\n\r\n\r\n\r\nCun plascher.",
    "shows": ["languages", "village"],
    "audience": "everybody",
}


@pytest.fixture
def gion(make_user: MakeUser) -> Player:
    return make_user("gion@example.org").player


def page_of(client: Client, player: Player) -> str:
    return client.get(reverse("accounts:person", args=[player.public_id])).content.decode()


def save_profile(client: Client, **changes: object) -> int:
    return client.post(reverse("accounts:profile"), FIELDS | changes).status_code


def test_others_see_what_was_ticked_and_nothing_else(client: Client, gion: Player) -> None:
    sign_in(client, "gion@example.org")
    assert save_profile(client) == 302
    page = page_of(Client(), gion)
    for shown in ("<h1>Gion Antoni</h1>", "Sursilvan, German", "Curaglia"):
        assert shown in page
    for kept in ("Grisons", "plascher", "gion@example.org", "Local time"):
        assert kept not in page
    assert Profile.objects.get().text == "Jeu dun troccas.\n\nCun plascher."


def test_a_page_for_members_tells_strangers_and_guests_the_name_only(
    client: Client, gion: Player, guest: Player, make_user: MakeUser
) -> None:
    other = Client()
    sign_in(other, "gion@example.org")
    save_profile(other, audience="members")
    for stranger in (Client(), client):
        page = page_of(stranger, gion)
        assert "<h1>Gion Antoni</h1>" in page
        assert "Curaglia" not in page
    make_user()
    member = Client()
    sign_in(member)
    assert "Curaglia" in page_of(member, gion)


def test_search_engines_stay_away(client: Client, gion: Player) -> None:
    response = client.get(reverse("accounts:person", args=[gion.public_id]))
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert '<meta name="robots" content="noindex, nofollow">' in response.content.decode()


def test_a_member_may_take_the_name_back(client: Client, gion: Player) -> None:
    sign_in(client, "gion@example.org")
    save_profile(client)
    save_profile(client, name="")
    gion.refresh_from_db()
    assert (gion.name, gion.name_key) == ("", "")


@pytest.mark.services
@pytest.mark.parametrize(
    "changes",
    [
        {"name": "\u202egon"}, {"name": "Computer"}, {"village": "Cura\u200bglia"}, {"text": "a\u202eb"}, {"canton": "XX"},
        {"languages": ["tlh"]}, {"shows": ["email"]}, {"text": "x" * 501}, {"audience": "nobody"},
    ],
)  # fmt: skip
def test_a_wrong_profile_is_explained_and_changes_nothing(
    client: Client, gion: Player, changes: dict[str, object]
) -> None:
    sign_in(client, "gion@example.org")
    response = client.post(reverse("accounts:profile"), FIELDS | changes)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    gion.refresh_from_db()
    assert gion.name == ""
    assert not Profile.objects.exists()


def test_a_name_like_that_of_another_is_kept_with_a_warning(client: Client, gion: Player, make_user: MakeUser) -> None:
    sign_in(client, "gion@example.org")
    save_profile(client, name="Olivia")
    other = Client()
    make_user()
    sign_in(other)
    response = other.post(reverse("accounts:profile"), FIELDS | {"name": "0LÍVIA"}, follow=True)
    assert "looks like yours" in response.content.decode()
    assert "looks like yours" not in other.post(reverse("accounts:profile"), FIELDS, follow=True).content.decode()


def test_only_people_who_are_here_have_a_page(client: Client, gion: Player, guest: Player) -> None:
    assert client.get(reverse("accounts:person", args=["zzzzzzzzzzz"])).status_code == 404
    computer = Player.objects.create(computer="level-1")
    assert client.get(reverse("accounts:person", args=[computer.public_id])).status_code == 404
    services.claim(guest, gion)
    assert client.get(reverse("accounts:person", args=[guest.public_id]))["Location"] == reverse(
        "accounts:person", args=[gion.public_id]
    )


def test_apps_may_add_what_they_know(client: Client, gion: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "facts", Registry())
    registry.facts.register(lambda player, _viewer: [registry.Fact("Games", f"{player.number} games")])
    assert f"{gion.number} games" in page_of(client, gion)


def test_blocking_holds_in_both_directions_and_is_not_told(client: Client, gion: Player, make_user: MakeUser) -> None:
    onna = make_user().player
    sign_in(client)
    client.post(reverse("accounts:block", args=[gion.public_id]))
    assert account_permissions.has_blocked(onna, gion)
    assert not account_permissions.has_blocked(gion, onna)
    assert not account_permissions.may_meet(onna, [gion])
    assert not account_permissions.may_meet(gion, [Player.objects.create(), onna])
    assert account_permissions.strangers_to(gion) == {onna.pk}
    other = Client()
    sign_in(other, "gion@example.org")
    assert "have blocked" not in page_of(other, onna)
    client.post(reverse("accounts:unblock", args=[gion.public_id]))
    assert account_permissions.may_meet(onna, [gion])
    assert not Block.objects.exists()


def test_one_cannot_block_oneself_a_computer_player_or_the_whole_world(
    gion: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_permissions, "MOST", 1)
    account_permissions.block(gion, Player.objects.create())
    for other in (gion, Player.objects.create(computer="level-1"), Player.objects.create()):
        with pytest.raises(ValidationError):
            account_permissions.block(gion, other)
    assert Block.objects.count() == 1


def test_a_block_stays_when_the_guest_becomes_a_member(gion: Player, make_user: MakeUser) -> None:
    onna, visitor = make_user().player, Player.objects.create()
    account_permissions.block(gion, visitor)
    account_permissions.block(visitor, gion)
    services.claim(visitor, onna)
    assert account_permissions.has_blocked(gion, onna)
    assert account_permissions.has_blocked(gion, Player.objects.get(pk=visitor.pk))
    assert account_permissions.has_blocked(onna, gion)


def test_a_guest_who_becomes_whom_they_blocked_blocks_nobody(gion: Player) -> None:
    visitor = Player.objects.create()
    account_permissions.block(gion, visitor)
    account_permissions.block(visitor, gion)
    services.claim(visitor, gion)
    assert not Block.objects.exists()


def test_a_report_reaches_the_moderators_who_settle_it(client: Client, gion: Player, make_user: MakeUser) -> None:
    onna, moderator = make_user().player, make_user("mod@example.org").player
    sign_in(client)
    sent = {"reason": "words", "text": "Said <b>this</b>.", "context": "/g/abc/"}
    response = client.post(reverse("accounts:report", args=[gion.public_id]), sent)
    assert response["Location"] == "/g/abc/"
    row = Report.objects.get()
    assert (row.by, row.about, row.reason, row.context) == (onna, gion, "words", "/g/abc/")
    assert client.get(reverse("accounts:reports")).status_code == 403
    assert client.post(reverse("accounts:settle", args=[row.pk]), {"outcome": "x"}).status_code == 403
    account_permissions.grant(moderator, account_permissions.MODERATOR)
    office = Client()
    sign_in(office, "mod@example.org")
    page = office.get(reverse("accounts:reports")).content.decode()
    assert "Said &lt;b&gt;this&lt;/b&gt;." in page
    office.post(reverse("accounts:settle", args=[row.pk]), {"outcome": ""})
    row.refresh_from_db()
    assert row.settled_at is None
    office.post(reverse("accounts:settle", args=[row.pk]), {"outcome": "Talked to him."})
    office.post(reverse("accounts:settle", args=[row.pk]), {"outcome": "Twice."})
    row.refresh_from_db()
    assert (row.settled_by, row.outcome) == (moderator, "Talked to him.")
    assert "Said &lt;b&gt;" not in office.get(reverse("accounts:reports")).content.decode()  # a token may hold "Said"
    assert "Talked to him." in office.get(reverse("accounts:reports") + "?settled=1").content.decode()


def test_an_editor_is_no_moderator_but_an_administrator_is(client: Client, gion: Player) -> None:
    sign_in(client, "gion@example.org")
    account_permissions.grant(gion, account_permissions.EDITOR)
    assert client.get(reverse("accounts:reports")).status_code == 403
    account_permissions.grant(gion, account_permissions.ADMINISTRATOR)
    assert client.get(reverse("accounts:reports")).status_code == 200


@pytest.mark.parametrize("context", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/a\n/b"])
def test_a_report_leads_to_pages_of_this_site_only(client: Client, guest: Player, gion: Player, context: str) -> None:
    sent = {"reason": "name", "text": "", "context": context}
    response = client.post(reverse("accounts:report", args=[gion.public_id]), sent)
    assert response["Location"] == reverse("accounts:person", args=[gion.public_id])
    assert Report.objects.get().context == ""


def test_something_else_needs_words(client: Client, guest: Player, gion: Player) -> None:
    address = reverse("accounts:report", args=[gion.public_id])
    assert client.post(address, {"reason": "other", "text": " "}).status_code == 422
    assert client.post(address, {"reason": "sideways", "text": "x"}).status_code == 422
    assert not Report.objects.exists()


def test_reports_are_limited(client: Client, guest: Player, gion: Player) -> None:
    address = reverse("accounts:report", args=[gion.public_id])
    answers = [client.post(address, {"reason": "name", "text": ""}).status_code for _each in range(6)]
    assert answers == [302] * 5 + [429]
    assert Report.objects.count() == 5


def test_strangers_are_sent_to_sign_in(gion: Player) -> None:
    for name in ("block", "report"):
        response = Client().post(reverse(f"accounts:{name}", args=[gion.public_id]), {"reason": "name"})
        assert response["Location"] == reverse("account_login")
    assert not Block.objects.exists()
    assert not Report.objects.exists()
    assert User.objects.count() == 1
