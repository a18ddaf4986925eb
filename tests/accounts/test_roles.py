"""Roles: who has them, and for which language."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from accounts import permissions as account_permissions
from accounts.models import Grant, Player
from tests.accounts.conftest import MakeUser

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(make_user: MakeUser) -> Player:
    return make_user().player


def test_nobody_has_a_role_that_was_not_given(player: Player) -> None:
    for someone in (None, player, Player.objects.create(), Player.objects.create(computer="level-1")):
        assert not account_permissions.may(someone, account_permissions.EDITOR)
        assert not account_permissions.may(someone, account_permissions.ADMINISTRATOR, "de")
        assert account_permissions.languages(someone) == frozenset()


def test_an_editor_of_one_language_has_that_language_only(player: Player) -> None:
    assert account_permissions.grant(player, account_permissions.EDITOR, "de")
    assert account_permissions.may(player, account_permissions.EDITOR, "de")
    assert not account_permissions.may(player, account_permissions.EDITOR, "en")
    assert not account_permissions.may(player, account_permissions.EDITOR)
    assert account_permissions.languages(player) == {"de"}


def test_an_editor_of_all_languages_has_each(player: Player) -> None:
    account_permissions.grant(player, account_permissions.EDITOR)
    assert account_permissions.may(player, account_permissions.EDITOR)
    assert account_permissions.may(player, account_permissions.EDITOR, "rm-sursilv")
    assert not account_permissions.may(player, account_permissions.ADMINISTRATOR)


def test_an_administrator_may_everything(player: Player) -> None:
    account_permissions.grant(player, account_permissions.ADMINISTRATOR, "de")
    assert account_permissions.may(player, account_permissions.ADMINISTRATOR)
    assert account_permissions.may(player, account_permissions.EDITOR, "en")
    assert Grant.objects.get().language == ""


def test_a_role_given_twice_is_one_and_can_be_taken_away(player: Player) -> None:
    assert account_permissions.grant(player, account_permissions.EDITOR, "de", by=player)
    assert not account_permissions.grant(player, account_permissions.EDITOR, "de")
    assert account_permissions.revoke(player, account_permissions.EDITOR, "de")
    assert not account_permissions.revoke(player, account_permissions.EDITOR, "de")
    assert not account_permissions.may(player, account_permissions.EDITOR, "de")


def test_roles_are_for_members_and_are_known(player: Player) -> None:
    with pytest.raises(account_permissions.NotAMember):
        account_permissions.grant(Player.objects.create(), account_permissions.EDITOR)
    with pytest.raises(ValueError, match="no such role"):
        account_permissions.grant(player, "king")


def test_asking_often_costs_one_query(player: Player, django_assert_num_queries) -> None:
    account_permissions.grant(player, account_permissions.EDITOR, "de")
    fresh = Player.objects.get(pk=player.pk)
    with django_assert_num_queries(1):
        for language in ("de", "en", ""):
            account_permissions.may(fresh, account_permissions.EDITOR, language)


def test_the_command_gives_lists_and_takes(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    email = player.user.email
    call_command("grant", email.upper(), "editor", "--language", "de")
    call_command("grant", email, "editor", "--language", "de")
    call_command("grant", email)
    assert "editor de" in capsys.readouterr().out
    call_command("grant", email, "editor", "--language", "de", "--revoke")
    call_command("grant", email, "editor", "--revoke")
    assert not Grant.objects.exists()


def test_a_role_is_given_even_if_no_letter_about_it_can_be_sent(
    player: Player, settings, monkeypatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ADMINS = [("", "operator@example.org")]

    def refused(*_arguments: object, **_options: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", refused)
    call_command("grant", player.user.email, "moderator")
    printed = capsys.readouterr()
    assert f"{player.user.email} is now moderator." in printed.out
    assert "ALARM_EMAIL" in printed.err
    assert "Connection refused" in printed.err


def test_only_a_role_that_changed_is_written_about(player: Player, settings, mailoutbox) -> None:
    settings.ADMINS = [("", "operator@example.org")]
    for options in ((), (), ("--revoke",), ("--revoke",)):
        call_command("grant", player.user.email, "moderator", *options)
    assert [letter.subject for letter in mailoutbox] == ["A role was given", "A role was taken"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("nobody@example.org", "editor"), ("onna@example.org", "king"), ("onna@example.org", "editor", "--language", "xx"),
        ("onna@example.org", "administrator", "--language", "de"),
    ],
)  # fmt: skip
def test_the_command_says_what_is_wrong(player: Player, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("grant", *arguments)
    assert not Grant.objects.exists()
