"""Read the stored ratings: only of people who want to be shown, and by name only of those whom the viewer may meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.registry import Fact
from core.text import fold
from domain.rating.rate import Pool, Rating
from games.text import figures
from ratings import text
from ratings.models import PairRating, PlayerRating, RatedPerson, RatingPool
from ratings.services import model_of


@dataclass(frozen=True, slots=True)
class Shown:
    """A line in a list of ratings, for a person or a pair. `place`: 0 if provisional. `mine`: the viewer is in it."""

    place: int
    names: tuple[str, ...]
    ids: tuple[str, ...]
    mean: float
    spread: float
    deals: int
    provisional: bool
    mine: bool = False
    together: bool = False
    """For a pair: whether the two never played apart."""

    @property
    def figure(self) -> str:
        """ "+1.3 ± 0.6"."""
        return text.figure(self.mean, self.spread)

    @property
    def at_least(self) -> str:
        """What they almost certainly score at least."""
        return figures.signed(self.mean - 2 * self.spread)

    @property
    def people(self) -> list[tuple[str, str]]:
        return list(zip(self.ids, self.names, strict=True))


@dataclass(frozen=True, slots=True)
class Game:
    """One game in the overview of lists. `shown`: the number of people in its list."""

    ruleset: str
    name: str
    shown: int
    pool: RatingPool


def games() -> list[Game]:
    """All lists, the one with the most deals first. One query."""
    rows = RatingPool.objects.annotate(shown=Count("ratings")).order_by("-deals", "ruleset")
    return [Game(row.ruleset, text.pool_name(row.ruleset), row.shown, row) for row in rows]


def ranking(pool: RatingPool, viewer: Player | None) -> list[Shown]:
    """Everybody in the list, in its order. Two queries, one if nobody is signed in."""
    strangers = account_permissions.strangers_to(viewer)
    rows = PlayerRating.objects.filter(pool=pool).select_related("person__player")
    found, place = [], 0
    for row in rows.order_by("provisional", "-cautious", "person__public_id"):
        place += not row.provisional
        if _may_be_read(row.person, strangers):
            found.append(rating_line(row, viewer, place))
    return found


def pairs(pool: RatingPool, viewer: Player | None, person: RatedPerson | None = None) -> list[Shown]:
    """All pairs in order, or those of one person, who then comes first in each.

    Two queries, one if nobody is signed in.
    """
    strangers = account_permissions.strangers_to(viewer)
    rows = PairRating.objects.filter(pool=pool).select_related("one__player", "other__player")
    if person is not None:
        rows = rows.filter(Q(one=person) | Q(other=person))
    found, place = [], 0
    for row in rows.order_by("provisional", "-cautious", "pk"):
        place += not row.provisional
        two = [row.one, row.other] if person is None or row.one_id == person.pk else [row.other, row.one]
        if all(_may_be_read(each, strangers) for each in two):
            found.append(_line(row, two, viewer, place, together=row.inseparable))
    return found


def rating_line(row: PlayerRating, viewer: Player | None, place: int = 0) -> Shown:
    return _line(row, [row.person], viewer, place)


def _line(
    row: PlayerRating | PairRating,
    people: list[RatedPerson],
    viewer: Player | None,
    place: int,
    *,
    together: bool = False,
) -> Shown:
    return Shown(
        place=0 if row.provisional else place,
        names=tuple(each.shown_name for each in people),
        ids=tuple(each.public_id for each in people),
        mean=row.mean,
        spread=sqrt(row.variance),
        deals=row.deals,
        provisional=row.provisional,
        mine=viewer is not None and viewer.pk in [each.player_id for each in people],
        together=together,
    )


def matching(lines: Iterable[Shown], typed: str) -> list[Shown]:
    """The lines in which a name contains what was typed; accents and case do not matter."""
    key = fold(typed)
    return [line for line in lines if any(key in fold(name) for name in line.names)] if key else list(lines)


def person(pool: RatingPool, public_id: str, viewer: Player | None) -> PlayerRating | None:
    """The rating of a person; None if they are not shown, or if the viewer must not meet them. Two queries."""
    row = PlayerRating.objects.filter(pool=pool, person__public_id=public_id).select_related("person__player").first()
    return row if row is not None and _may_be_read(row.person, account_permissions.strangers_to(viewer)) else None


def _may_be_read(person: RatedPerson, strangers: frozenset[int]) -> bool:
    """Whether a person is left in lists for whoever may not meet `strangers`.

    A pseudonym always is: otherwise whoever blocks somebody would see which pseudonym goes.
    """
    return bool(person.pseudonym) or person.player_id not in strangers


def inseparable_from(row: PlayerRating, viewer: Player | None) -> tuple[list[str], int]:
    """The people who always played together with the person: the names that `viewer` may see, and how many others.

    Two queries, one if nobody is signed in.
    """
    always = row.inseparable.get("people", [])
    unmet = account_permissions.strangers_to(viewer)
    shown = RatedPerson.objects.filter(pk__in=always).exclude(player__in=unmet, pseudonym="")
    names = [each.shown_name for each in shown.select_related("player").order_by("pk")]
    return names, row.inseparable.get("others", 0) + len(always) - len(names)


def of_person(rated: RatedPerson) -> list[PlayerRating]:
    """All ratings of a person, the game with the most deals first. One query."""
    rows = PlayerRating.objects.filter(person=rated).select_related("pool", "person__player")
    return list(rows.order_by("-deals", "pool__ruleset"))


def arithmetic(pool: RatingPool, lines: Sequence[Shown]) -> Pool:
    """The stored ratings of these people by public id, as `domain.rating` needs them to work out chances."""
    ratings = {line.ids[0]: Rating(line.mean, line.spread**2, line.deals, line.ids[0]) for line in lines}
    return Pool(pool.ruleset, pool.kind, model_of(pool.model), ratings, {})


def facts(player: Player, _viewer: Player | None) -> list[Fact]:
    """A line for each game, the same for everybody. Two queries, one for a player who is not shown."""
    row = RatedPerson.objects.filter(player=player, pseudonym="").first()
    if row is None:
        return []
    return [
        Fact(
            _("Rating in %(game)s") % {"game": text.pool_name(each.pool.ruleset)},
            _("%(figure)s, provisional") % {"figure": figure} if each.provisional else figure,
            reverse("ratings:person", args=[each.pool.ruleset, row.public_id]),
        )
        for each in of_person(row)
        if (figure := _with_unit(each.mean, each.variance, each.pool.ruleset))
    ]


def _with_unit(mean: float, variance: float, ruleset: str) -> str:
    return text.with_unit(mean, sqrt(variance), rappen=text.in_rappen(ruleset))
