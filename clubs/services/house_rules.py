"""House rules in versions: the present one, writing another, reading a file. A wing of `clubs.services.common`."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Final

from django.db import transaction

from accounts.models import Player
from clubs import permissions as clubs_permissions
from clubs.exceptions import ClubError
from clubs.models import Club, HouseRulesVersion
from clubs.permissions import Act
from clubs.services import common
from domain.engine.ruleset import OptionError
from domain.engine.rulesets import RULESETS, UnknownRuleset, ruleset
from domain.errors import DomainError
from domain.standings.profile import HouseRules, from_plain, to_plain

MOST_BYTES: Final = 64 * 1024
"""Of a file of house rules; a long one has ten thousand."""
ELSEWHERE: Final = ("hands", "talk")
"""Options of a ruleset which the house rules say in words of their own (`deals`, `talk`)."""


def current(club: Club) -> HouseRulesVersion:
    """The version in force. Every club has one from its founding."""
    return HouseRulesVersion.objects.filter(club=club).select_related("by").order_by("-version")[0]


def version(club: Club, number: int) -> HouseRulesVersion:
    """One version. Raises ``no-such-entry``."""
    found = HouseRulesVersion.objects.filter(club=club, version=number).select_related("by").first()
    if found is None:
        raise ClubError("no-such-entry")
    return found


def rules_of(row: HouseRulesVersion) -> HouseRules:
    """The rules of a version; they know its number."""
    return replace(from_plain(row.data), version=row.version)


def check_game(rules: HouseRules) -> None:
    """Raise DomainError unless there is such a game with such options, played by so many."""
    try:
        game = ruleset(rules.ruleset)
    except UnknownRuleset:
        games = ", ".join(sorted({known for known, _version in RULESETS}))
        raise DomainError("not-a-choice", "ruleset", choices=games) from None
    try:
        game.settled_options(dict(rules.options))
    except OptionError as wrong:
        raise DomainError("bad-option", f"options.{wrong.name}") from None


def publish(
    club: Club, by: Player, rules: HouseRules, note: str, *, expected: int, request_id: uuid.UUID
) -> HouseRulesVersion:
    """A new version, if `expected` is still the present one. Tournaments keep the version they were played by.

    Raises ``club-gone``, ``not-allowed``, DomainError (no such game), ``rules-moved``, ``nothing-changed``,
    ``request-reused``.
    """
    check_game(rules)
    with transaction.atomic():
        row = common.locked(club.pk)
        before = common.answered(row, by, request_id, "rules.published")
        if before is not None:
            return version(row, int(before.data.get("version", 0)))
        clubs_permissions.check_may(by, row, Act.HOUSE_RULES)
        latest = current(row)
        if latest.version != expected:
            raise ClubError("rules-moved")
        number = latest.version + 1
        if to_plain(replace(rules, version=latest.version)) == to_plain(rules_of(latest)):
            raise ClubError("nothing-changed")
        made = HouseRulesVersion.objects.create(
            club=row, version=number, data=to_plain(replace(rules, version=number)), note=note, by=by
        )
        common.log(row, "rules.published", actor=by, data={"version": number}, request_id=request_id)
        return made
