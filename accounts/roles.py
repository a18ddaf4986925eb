"""Who may do more than every member: editors, each for a language or for all, and administrators, who may do everything."""

from __future__ import annotations

from django.db import transaction

from accounts.models import Grant, Player

EDITOR = Grant.Role.EDITOR
MODERATOR = Grant.Role.MODERATOR
ADMINISTRATOR = Grant.Role.ADMINISTRATOR


class NotAMember(ValueError):
    """Roles are for people who can log in."""


def may(player: Player | None, role: str, language: str = "") -> bool:
    """Whether `player` has `role` for `language`; without a language: for all of them together.

    An administrator has every role. Someone who edits only German has no role "in all languages": ask `languages` whether
    somebody edits at all. One query per player object.
    """
    held = languages(player, role)
    return "" in held or (language != "" and language in held)


def languages(player: Player | None, role: str = EDITOR) -> frozenset[str]:
    """The languages for which `player` has `role`; `""` stands for all of them. Empty for everybody else, and for guests."""
    if player is None or player.user_id is None:
        return frozenset()
    granted: frozenset[tuple[str, str]] | None = player.__dict__.get("_granted")
    if granted is None:
        granted = frozenset(Grant.objects.filter(player=player).values_list("role", "language"))
        player.__dict__["_granted"] = granted
    if any(held == ADMINISTRATOR for held, _language in granted):
        return frozenset({""})
    return frozenset(language for held, language in granted if held == role)


def grant(player: Player, role: str, language: str = "", *, by: Player | None = None) -> bool:
    """Give `player` the role; True if they did not have it. Only editors have a language.

    Raises NotAMember for guests and computer players, ValueError for a role that is none.
    """
    if role not in Grant.Role.values:
        raise ValueError(f"no such role: {role}")
    if player.user_id is None:
        raise NotAMember
    _forget(player)
    kept = language if role == EDITOR else ""
    _row, made = Grant.objects.get_or_create(player=player, role=role, language=kept, defaults={"given_by": by})
    return made


def revoke(player: Player, role: str, language: str = "") -> bool:
    """Take the role for this language away (without a language: that for all); True if they had it."""
    _forget(player)
    with transaction.atomic():
        gone, _by_model = Grant.objects.filter(player=player, role=role, language=language).delete()
    return gone > 0


def _forget(player: Player) -> None:
    player.__dict__.pop("_granted", None)
