"""Who may see a player's statistics: the people they have chosen, but never if one has blocked the other. Also the data
of statistics about a player, for `accounts`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from accounts import permissions as account_permissions
from accounts.models import Player
from games.models import Action, Game, PlayedSeat, Seat
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


class Counted:
    """A player's hands, and who may see their statistics. The caller holds the locks of the games."""

    def merge(self, guest: Player, member: Player) -> None:
        """Give the member the guest's hands. Those of games in which both sat stay the guest's."""
        both = Action.objects.filter(text__in=("sat", "substituted"), player=member).values("game")
        PlayedSeat.objects.filter(player=guest).exclude(hand__game__in=both).update(player=member)
        if not StatisticsAudience.objects.filter(player=member).exists():
            StatisticsAudience.objects.filter(player=guest).update(player=member)
        StatisticsAudience.objects.filter(player=guest).delete()

    def release(self, player: Player) -> bool:
        """Delete the player's choice of who may see their statistics.

        The hands stay, since they belong to the games of others, but without a name.
        """
        StatisticsAudience.objects.filter(player=player).delete()
        return PlayedSeat.objects.filter(player=player).exists()

    def export(self, player: Player) -> Mapping[str, object]:
        """The player's hands, and who may see their statistics."""
        audience = StatisticsAudience.objects.filter(player=player).values_list("audience", flat=True).first()
        return {"statistics_audience": audience or "", "hands": list(own_rows(player))}


COLUMNS = (
    "at", "hand__game__public_id", "hand__number", "ruleset", "table_size", "seat", "dealer", "role", "score", "points",
    "outcome", "tricks", "honours", "calls", "calls_met", "jacks_called", "fool", "bagat", "shared", "people_only",
)  # fmt: skip
NAMES = {"hand__game__public_id": "game", "hand__number": "hand"}
"""Names of columns in exports, if they differ from the field."""


def own_rows(player: Player) -> list[dict[str, object]]:
    """A player's hands as plain data, oldest first."""
    rows = PlayedSeat.objects.filter(player=player).order_by("at", "pk").values(*COLUMNS)
    return [{NAMES.get(name, name): value for name, value in row.items()} for row in rows]


COUNTED = Counted()
