"""What a game of a tournament is called in lists of games: the tournament, the round, the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from clubs.online_models import OnlineTable
from games.models import Game


def occasions(games: Collection[Game]) -> Mapping[int, str]:
    """ "Winter league, round 2, table 3" for games of tournaments. One query."""
    rows = OnlineTable.objects.filter(game__in=[game.pk for game in games]).select_related("tournament")
    return {row.game_id: _words(row) for row in rows if row.game_id is not None}


def _words(row: OnlineTable) -> str:
    _phase, number, table = row.key.split(".")
    facts = {"tournament": row.tournament.name, "round": number, "table": table}
    return _("%(tournament)s, round %(round)s, table %(table)s") % facts
