"""How two people become a pair without the desk: one gives the other a link, and whoever enters by it is the partner."""

from __future__ import annotations

from typing import Final

from django.core import signing

from domain.tournament.registering import needs_partner, seat_now
from domain.tournament.state import EXPECTED, Entrant, State
from tournaments.models import Tournament
from tournaments.online.substitutes import plays_online

_LONGEST: Final = 100
"""No token of ours has more characters."""


def token_of(tournament: Tournament, member: str) -> str:
    """The token in the link by which this person (the public id of a member) asks somebody to play with them."""
    return _signer(tournament).sign(member)


def asking(tournament: Tournament, state: State, token: str) -> Entrant | None:
    """The single entrant whose link has this token. None if they have a partner by now or do not come, and for a token
    that is not ours."""
    try:
        person = _signer(tournament).unsign(token[:_LONGEST])
    except signing.BadSignature:
        return None
    return next(
        (
            each
            for each in state.entrants.values()
            if each.members == (person,) and needs_partner(state, each) and not seat_now(state, each.id)
        ),
        None,
    )


def half_of(state: State, entrant: Entrant, member: str) -> str:
    """The entrant that this member of a pair will be when the pair is parted.

    "" if the two entered as a pair, or sit at a table already: then they stay together.
    """
    if seat_now(state, entrant.id):
        return ""
    other = next((each.id for each in state.entrants.values() if each.merged_into == entrant.id), "")
    return other and (entrant.id if entrant.members[0] == member else other)


def may_part(state: State, entrant: Entrant, member: str) -> bool:
    """Whether this member of a pair may part it: not once the two are in the hall, where pairs are also drawn."""
    return bool(half_of(state, entrant, member)) and (entrant.status == EXPECTED or plays_online(state))


def _signer(tournament: Tournament) -> signing.Signer:
    return signing.Signer(salt=f"tournaments.partner.{tournament.public_id}")
