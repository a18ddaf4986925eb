"""What belongs to a player in tournaments, for `accounts`: evenings they took part in or ran, and invitations.

The log of a tournament contains no names: persons are recorded by the public ids of their entries in a club's list. The
club decides whose entry is moved, deleted or reduced to initials (`clubs.privacy`); every page and file follows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from domain.tournament.scoring import ranking
from domain.tournament.state import State
from tournaments.models import Participation, Tournament, TournamentEvent, TournamentInvitation
from tournaments.registration import by_oneself
from tournaments.selectors import states_of

Status = Tournament.Status


def merge(guest: Player, member: Player) -> None:
    """Transfer what a guest has announced, or written at a table, to the member. Guests are not invited, and invite nobody."""
    Tournament.objects.filter(created_by=guest).update(created_by=member)
    TournamentEvent.objects.filter(player=guest).update(player=member)


def release(player: Player) -> bool:
    """Keep what the player did and the invitations they sent, but without the link to their account.

    Those they received are deleted. Their place in a tournament where they have not been yet becomes free.
    """
    entered = Participation.objects.filter(member__player=player).values("tournament")
    not_over = Tournament.objects.filter(pk__in=entered).exclude(status__in=(Status.CLOSED, Status.CANCELLED))
    for tournament in not_over.select_for_update().order_by("pk"):
        by_oneself.give_up_place(tournament, player)
    Tournament.objects.filter(created_by=player).update(created_by=None)
    TournamentEvent.objects.filter(player=player).update(player=None)
    TournamentInvitation.objects.filter(player=player).delete()
    TournamentInvitation.objects.filter(by=player).update(by=None)
    return False


def export(player: Player) -> Mapping[str, object]:
    """The tournaments of the player's entries with rank and rounds, what they did in tournaments, and invitations."""
    rows = Participation.objects.filter(member__player=player).select_related("tournament__club", "member")
    taking_part = list(rows.order_by("tournament__starts", "pk"))
    states = states_of([row.tournament for row in taking_part])
    done = TournamentEvent.objects.filter(player=player).select_related("tournament").order_by("pk")
    invited = TournamentInvitation.objects.filter(player=player).select_related("tournament").order_by("pk")
    return {
        "tournaments": [_evening(row, states) for row in taking_part],
        "done_in_tournaments": [
            {"tournament": each.tournament.public_id, "number": each.number, "what": each.kind, "at": each.at}
            for each in done.iterator(chunk_size=500)
        ],
        "invitations_to_tournaments": [
            {"tournament": row.tournament.public_id, "name": row.tournament.name, "at": row.at} for row in invited
        ],
    }


def _evening(row: Participation, states: Mapping[int, State]) -> dict[str, object]:
    state = states[row.tournament_id]
    place = next((each for each in ranking(state)[0] if each.row.entrant == row.entrant), None)
    return {
        "tournament": row.tournament.public_id,
        "name": row.tournament.name,
        "club": row.tournament.club.slug,
        "starts": row.tournament.starts,
        "entrant": row.entrant,
        "rank": place.rank if place else 0,
        "rounds": [
            {"phase": place.phase, "round": each.round, "kind": each.kind, "points": each.points, "match": each.match}
            for each in place.row.sheet.rounds
        ]
        if place
        else [],
    }
