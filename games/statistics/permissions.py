"""Who may see a player's statistics: the people they have chosen, but never if one has blocked the other."""

from __future__ import annotations

from collections.abc import Iterable

from accounts import permissions as account_permissions
from accounts.models import Player
from games.models import Game, PlayedSeat, Seat
from games.statistics.models import Audience, StatisticsAudience


def may_see(shown: Player, viewer: Player | None) -> bool:
    """Whether `viewer` (None: a stranger) may see the statistics of `shown`.

    Three queries at most, none for one's own.
    """
    return shown.pk in seen_by(viewer, [shown])


def seen_by(viewer: Player | None, players: Iterable[Player]) -> frozenset[int]:
    """The keys of the `players` whose statistics `viewer` may see. At most four queries for any number of players.

    Nobody sees the statistics of computer players, or of people whose account is gone.
    """
    here = {player.pk for player in players if player.page}
    seen = {viewer.pk} & here if viewer is not None else set()
    others = here - seen
    if viewer is not None and others:
        others -= account_permissions.strangers_to(viewer)
    if not others:
        return frozenset(seen)
    rows = StatisticsAudience.objects.filter(player__in=others).values_list("player", "audience")
    chosen = dict.fromkeys(others, str(Audience.COMPANY)) | dict(rows)
    seen |= {key for key, audience in chosen.items() if audience == Audience.EVERYBODY}
    company = {key for key, audience in chosen.items() if audience == Audience.COMPANY}
    if viewer is not None and company:
        seen |= _company(viewer, company)
    return frozenset(seen)


def _company(viewer: Player, players: set[int]) -> set[int]:
    """The keys of the `players` who sit or have sat at a table with `viewer`."""
    sat = Seat.objects.filter(game__kind=Game.Kind.PLAY, game__seats__player=viewer, player__in=players)
    company = set(sat.values_list("player", flat=True).distinct())
    rest = players - company
    if rest:
        played = PlayedSeat.objects.filter(player__in=rest, hand__played_seats__player=viewer)
        company |= set(played.values_list("player", flat=True).distinct())
    return company
