"""What a person's page says of their ratings: nothing, unless they are shown by their name."""

from __future__ import annotations

from math import sqrt

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.protocols import Fact
from clubs.rated import reading, wording
from clubs.rating_models import RatedPerson


def facts(player: Player) -> list[Fact]:
    """A line for each game. Two queries, one for who is not shown."""
    row = RatedPerson.objects.filter(player=player, pseudonym="").first()
    if row is None:
        return []
    return [
        Fact(
            _("Rating in %(game)s") % {"game": wording.pool_name(each.pool.ruleset)},
            _("%(figure)s, provisional") % {"figure": said} if each.provisional else said,
            reverse("ratings:person", args=[each.pool.ruleset, row.public_id]),
        )
        for each in reading.of_person(row)
        if (said := _said(each.mean, each.variance, each.pool.ruleset))
    ]


def _said(mean: float, variance: float, ruleset: str) -> str:
    return wording.with_unit(mean, sqrt(variance), rappen=wording.in_rappen(ruleset))
