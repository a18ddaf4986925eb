"""What is tapped at the entrance, one word each: `here:e3`, `pay:e3:1000`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.exceptions import ClubError
from clubs.services.members import clean_name
from core.limits import take
from domain.tournament.payload import Plain
from domain.tournament.state import HERE, Entrant, State
from games.exceptions import Malformed
from tournaments import permissions
from tournaments import text as tournaments_text
from tournaments.exceptions import AskFirst, EntryError, Refused, TournamentError
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.registration import services
from tournaments.registration.selectors import names_of, recent_taps
from tournaments.registration.services import WalkIn
from tournaments.selectors import state_of
from tournaments.services import draws, log

_NAME_LENGTH: Final = 60
_SIMPLE: Final = {
    "here": "entrant.arrived",
    "leave": "entrant.left",
    "withdraw": "entrant.withdrawn",
    "part": "pair.parted",
}


def apply_tap(
    tournament: Tournament, text: str, data: Mapping[str, str], *, by: Actor, request_id: uuid.UUID, sure: bool = False
) -> str:
    """Let happen what was tapped; what to say about it. The same form sent twice does it once.

    Raises AskFirst for what is asked about once more (unless `sure`), Alike for a walk-in of a known name, and whatever is
    refused.
    """
    verb, _colon, rest = text.partition(":")
    # One form holds the whole list: each of its buttons is a request of its own.
    sent = uuid.uuid5(request_id, text)
    if verb in ("walk-in", "walk-in-paid"):
        return _walk_in(tournament, data, paid=verb == "walk-in-paid", by=by, sent=request_id, sure=sure)
    if verb == "enter":
        return _enter(tournament, rest, by, sent)
    if verb == "draw-pairs":
        _desk_only(by)
        draws.make_pairs(tournament, by=by, request_id=sent)
        return _("Pairs are drawn among the single persons who are here.")
    tournament.refresh_from_db()
    state = state_of(tournament)
    if verb == "unpay":
        return _unpay(tournament, state, rest, by, sent)
    wanted, _colon, more = rest.partition(":")
    entrant = state.entrants.get(wanted)
    if entrant is None:
        raise Refused("unknown-entrant", "id", id=wanted)
    name = names_of(tournament, state).entrant(entrant)
    if verb == "pay":
        return _pay(tournament, entrant, name, more, by, sent)
    if verb == "not-here":
        return _not_here(tournament, state, entrant, name, by, sent, sure)
    _ask(verb, text, entrant, name, sure)
    fields: dict[str, Plain] = {"id": wanted}
    if verb == "pause":
        log.act(tournament.pk, [("entrant.paused", fields)], by=by, request_id=sent)
    elif verb == "play":
        log.act(tournament.pk, [("entrant.paused", {**fields, "off": True})], by=by, request_id=sent)
    elif verb in _SIMPLE:
        log.act(tournament.pk, [(_SIMPLE[verb], fields)], by=by, request_id=sent)
    else:
        raise Malformed(text)
    return _said(verb, name)


def _said(verb: str, name: str) -> str:
    return {
        "here": _("%(name)s: here."),
        "leave": _("%(name)s: goes home."),
        "withdraw": _("%(name)s: does not come."),
        "part": _("%(name)s: two single persons again."),
        "pause": _("%(name)s: sits out the next round."),
        "play": _("%(name)s: plays the next round."),
    }[verb] % {"name": name}


def _ask(verb: str, text: str, entrant: Entrant, name: str, sure: bool) -> None:
    if sure:
        return
    if verb == "leave":
        question = _("Does %(name)s go home? Results so far stay.")
        raise AskFirst(text, question % {"name": name}, _("Goes home"))
    if verb == "withdraw":
        question = _("Does %(name)s not come? A fee that was paid is to be given back then.")
        raise AskFirst(text, question % {"name": name}, _("Does not come"))
    if verb == "part" and entrant.status == HERE:
        raise AskFirst(text, _("Shall %(name)s be two single persons again?") % {"name": name}, _("Part them"))


def _not_here(
    tournament: Tournament, state: State, entrant: Entrant, name: str, by: Actor, sent: uuid.UUID, sure: bool
) -> str:
    if not sure and entrant.id not in recent_taps(tournament, state).arrived:
        question = _("%(name)s is marked as here. Was that a mistake?") % {"name": name}
        raise AskFirst(f"not-here:{entrant.id}", question, _("Not here"))
    log.act(tournament.pk, [("entrant.not-arrived", {"id": entrant.id})], by=by, request_id=sent)
    return _("%(name)s: not here.") % {"name": name}


def _pay(tournament: Tournament, entrant: Entrant, name: str, amount: str, by: Actor, sent: uuid.UUID) -> str:
    """A fee is paid. Of two helpers who tap the same one the second is told so. Takes the lock on the tournament's row."""
    if not (amount.isdecimal() and len(amount) < 10) or int(amount) % tournaments_text.SMALLEST_COIN:
        raise EntryError("not-money")
    same = f"pay|{entrant.id}|{amount}"
    fields: dict[str, Plain] = {"kind": "fee", "amount": int(amount), "who": entrant.id}
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if log.repeated(row, sent, same, by) is None:
            state = state_of(row)
            if int(amount) > state.entrants[entrant.id].fee - services.paid(state).get(entrant.id, 0):
                raise EntryError("paid-already")
            log.act(row.pk, [("money.entered", fields)], by=by, request_id=sent, expected=state.number, same=same)
    return _("%(name)s: %(amount)s paid.") % {"name": name, "amount": tournaments_text.short_money(int(amount))}


def _unpay(tournament: Tournament, state: State, entry: str, by: Actor, sent: uuid.UUID) -> str:
    reason = _("Tapped by mistake")
    before = log.repeated(tournament, sent, f"unpay|{entry}", by)
    if before is None:
        fee = next((each for each in state.money if each.id == entry and each.kind == "fee"), None)
        if fee is None or entry not in recent_taps(tournament, state).money:
            raise Refused("paid-earlier", "money")
        fields: dict[str, Plain] = {"id": entry, "reason": reason}
        log.act(
            tournament.pk,
            [("money.cancelled", fields)],
            by=by,
            request_id=sent,
            expected=state.number,
            same=f"unpay|{entry}",
        )
    return _("The payment is taken back.")


def _enter(tournament: Tournament, rest: str, by: Actor, sent: uuid.UUID) -> str:
    member, _colon, amount = rest.partition(":")
    found = services.of_list(tournament.club, [member])[0]
    pay = int(amount) if amount.isdecimal() and len(amount) < 10 else 0
    if pay % tournaments_text.SMALLEST_COIN or pay > state_of(tournament).fee:
        raise EntryError("not-money")
    services.enter_here(tournament, found, pay=pay, by=by, request_id=sent)
    name = f"{found.first_name} {found.last_name}".strip()
    if pay:
        return _("%(name)s: here, %(amount)s paid.") % {"name": name, "amount": tournaments_text.short_money(pay)}
    return _said("here", name)


def _walk_in(
    tournament: Tournament, data: Mapping[str, str], *, paid: bool, by: Actor, sent: uuid.UUID, sure: bool
) -> str:
    if not take(f"walk-in:{tournament.pk}:{by.name}", rate=240, per=3600, burst=120):
        raise ClubError("too-often")
    state = state_of(tournament)
    who = WalkIn(
        clean_name(data.get("first_name", ""))[:_NAME_LENGTH],
        clean_name(data.get("last_name", ""))[:_NAME_LENGTH],
        named=bool(data.get("named")),
        pay=state.fee if paid else 0,
        sure=sure,
    )
    services.walk_in(tournament, who, by=by, request_id=sent)
    name = f"{who.first_name} {who.last_name}".strip()
    if who.pay:
        return _("%(name)s: here, %(amount)s paid.") % {"name": name, "amount": tournaments_text.short_money(who.pay)}
    return _said("here", name)


def make_pair(tournament: Tournament, one: str, two: str, *, by: Actor, request_id: uuid.UUID) -> str:
    """Two single persons become a pair. Raises ``not-allowed``, Refused."""
    _desk_only(by)
    fields: dict[str, Plain] = {"pairs": [[one, two]]}
    receipt = log.act(tournament.pk, [("pairs.made", fields)], by=by, request_id=request_id)
    pair = receipt.state.entrants[one]
    return _("A pair: %(name)s.") % {"name": names_of(tournament, receipt.state).entrant(pair)}


def _desk_only(by: Actor) -> None:
    if by.what != permissions.DESK:
        raise TournamentError("not-allowed")
