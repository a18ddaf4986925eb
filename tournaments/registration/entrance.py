"""The buttons tapped at the entrance. Each sends one word, such as `here:e3` or `pay:e3:1000`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs import money
from clubs.exceptions import ClubError
from clubs.services.members import clean_name
from core.limits import take
from domain.tournament.payload import Plain
from domain.tournament.state import EXPECTED, HERE, Entrant, State
from games.exceptions import Malformed
from tournaments import permissions
from tournaments.exceptions import AskFirst, EntryError, Refused, TournamentError
from tournaments.models import Tournament
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.registration import services
from tournaments.registration.selectors import came_with, names_of, recent_taps
from tournaments.registration.services import WalkIn
from tournaments.selectors import state_of
from tournaments.services import draws, log
from tournaments.services.log import NewEvent

_NAME_LENGTH: Final = 60


class Tap(NamedTuple):
    """What a button does to an entrant: the kind of event, the message afterwards, and the question before."""

    kind: str
    message: Promise | str
    question: Promise | str = ""
    button: Promise | str = ""
    more: Mapping[str, Plain] = {}


TAPS: Final[Mapping[str, Tap]] = {
    "here": Tap("entrant.arrived", _("%(name)s: here.")),
    "leave": Tap(
        "entrant.left",
        _("%(name)s: has left."),
        _("Does %(name)s leave the tournament? Results so far stay."),
        _("Leaves the tournament"),
    ),
    "withdraw": Tap(
        "entrant.withdrawn",
        _("%(name)s: is not coming."),
        _("Is %(name)s not coming? If a fee was paid, it has to be given back."),
        _("Is not coming"),
    ),
    "part": Tap(
        "pair.parted",
        _("%(name)s: two single players again."),
        _("Shall %(name)s be two single players again?"),
        _("Part them"),
        {"substitutes": True},
    ),
    "pause": Tap("entrant.paused", _("%(name)s: sits out the next round.")),
    "play": Tap("entrant.paused", _("%(name)s: plays the next round."), more={"off": True}),
}


def apply_tap(
    tournament: Tournament, text: str, data: Mapping[str, str], *, by: Actor, request_id: uuid.UUID, sure: bool = False
) -> str:
    """Do what was tapped, once even if the same form is sent twice. Returns the message to show.

    Raises AskFirst for what has to be confirmed (unless `sure`), Alike for a walk-in with the name of somebody in the
    list, and any Refusal.
    """
    verb, _colon, rest = text.partition(":")
    # One form holds the whole list: each of its buttons is a request of its own.
    tap_id = uuid.uuid5(request_id, text)
    if verb in ("walk-in", "walk-in-paid"):
        return _walk_in(tournament, data, paid=verb == "walk-in-paid", by=by, request_id=request_id, sure=sure)
    if verb == "enter":
        return _enter(tournament, rest, by, tap_id)
    if verb == "draw-pairs":
        _desk_only(by)
        draws.make_pairs(tournament, by=by, request_id=tap_id)
        return gettext("Pairs are drawn among the single players who are here.")
    tournament.refresh_from_db()
    state = state_of(tournament)
    if verb == "unpay":
        return _unpay(tournament, state, rest, by, tap_id)
    entrant_id, _colon, amount = rest.partition(":")
    entrant = state.entrants.get(entrant_id)
    if entrant is None:
        raise Refused("unknown-entrant", "id", id=entrant_id)
    name = names_of(tournament, state).entrant(entrant)
    if verb == "pay":
        return _pay(tournament, entrant, name, amount, by, tap_id)
    if verb == "not-here":
        return _not_here(tournament, state, entrant, name, by=by, request_id=tap_id, sure=sure)
    tap = TAPS.get(verb)
    if tap is None:
        raise Malformed(text)
    if verb == "pause" and not services.may_pause(state):
        raise EntryError("no-pause")
    if tap.question and not sure and (verb != "part" or entrant.status == HERE):
        raise AskFirst(text, tap.question % {"name": name}, tap.button)
    log.act(tournament.pk, [(tap.kind, {"id": entrant_id, **tap.more})], by=by, request_id=tap_id)
    if verb == "here" and plays_online(state):
        return gettext("%(own_name)s takes part.") % {"own_name": name}
    return tap.message % {"name": name}


def _not_here(
    tournament: Tournament,
    state: State,
    entrant: Entrant,
    name: str,
    *,
    by: Actor,
    request_id: uuid.UUID,
    sure: bool,
) -> str:
    if not sure and entrant.id not in recent_taps(tournament, state).arrived:
        question = gettext("%(name)s is marked as here. Was that a mistake?") % {"name": name}
        raise AskFirst(f"not-here:{entrant.id}", question, gettext("Not here"))
    log.act(tournament.pk, [("entrant.not-arrived", {"id": entrant.id})], by=by, request_id=request_id)
    return gettext("%(name)s: not here.") % {"name": name}


def _pay(tournament: Tournament, entrant: Entrant, name: str, amount: str, by: Actor, request_id: uuid.UUID) -> str:
    """Enter a fee as paid, and mark an expected entrant as here.

    If two helpers tap the same entrant, the second is told so. Takes the lock on the tournament's row.
    """
    if not (amount.isdecimal() and len(amount) < 10) or int(amount) % money.SMALLEST_COIN:
        raise EntryError("not-money")
    same = f"pay|{entrant.id}|{amount}"
    fields: dict[str, Plain] = {"kind": "fee", "amount": int(amount), "who": entrant.id}

    def make(state: State) -> list[NewEvent]:
        if int(amount) > state.entrants[entrant.id].fee - services.paid(state).get(entrant.id, 0):
            raise EntryError("paid-already")
        paying: NewEvent = ("money.entered", fields)
        if state.open and state.entrants[entrant.id].status == EXPECTED:
            return [("entrant.arrived", {"id": entrant.id}), paying]
        return [paying]

    before = entrant.status
    after = log.act(tournament.pk, make, by=by, request_id=request_id, same=same).state.entrants[entrant.id].status
    message = gettext("%(name)s: here, %(amount)s paid.") if after != before else gettext("%(name)s: %(amount)s paid.")
    return message % {"name": name, "amount": money.short_money(int(amount))}


def _unpay(tournament: Tournament, state: State, entry: str, by: Actor, request_id: uuid.UUID) -> str:
    """Undo the tap that took a fee, with all it did: if it also marked the entrant as here, they are expected again."""
    fields: dict[str, Plain] = {"id": entry, "reason": gettext("Tapped by mistake")}
    payer = next((each.who for each in state.money if each.id == entry), "")

    def make(state: State) -> list[NewEvent]:
        fee = next((each for each in state.money if each.id == entry and each.kind == "fee"), None)
        if fee is None or entry not in recent_taps(tournament, state).money:
            raise Refused("paid-earlier", "money")
        cancelling: NewEvent = ("money.cancelled", fields)
        if came_with(tournament, state, entry) and state.entrants[fee.who].status == HERE:
            return [cancelling, ("entrant.not-arrived", {"id": fee.who})]
        return [cancelling]

    receipt = log.act(tournament.pk, make, by=by, request_id=request_id, same=f"unpay|{entry}")
    arrival_undone = any(event.kind == "entrant.not-arrived" for event in receipt.events)
    message = (
        gettext("%(name)s: not here yet, and the payment is taken back.")
        if arrival_undone
        else gettext("%(name)s: the payment is taken back.")
    )
    return message % {"name": names_of(tournament, state).entrant(state.entrants[payer])}


def _enter(tournament: Tournament, rest: str, by: Actor, request_id: uuid.UUID) -> str:
    public_id, _colon, amount = rest.partition(":")
    member = services.of_list(tournament.club, [public_id])[0]
    pay = int(amount) if amount.isdecimal() and len(amount) < 10 else 0
    if pay % money.SMALLEST_COIN or pay > state_of(tournament).fee:
        raise EntryError("not-money")
    services.enter_here(tournament, member, pay=pay, by=by, request_id=request_id)
    name = f"{member.first_name} {member.last_name}".strip()
    if pay:
        return gettext("%(name)s: here, %(amount)s paid.") % {"name": name, "amount": money.short_money(pay)}
    return TAPS["here"].message % {"name": name}


def _walk_in(
    tournament: Tournament, data: Mapping[str, str], *, paid: bool, by: Actor, request_id: uuid.UUID, sure: bool
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
    services.walk_in(tournament, who, by=by, request_id=request_id)
    name = f"{who.first_name} {who.last_name}".strip()
    if who.pay:
        return gettext("%(name)s: here, %(amount)s paid.") % {
            "name": name,
            "amount": money.short_money(who.pay),
        }
    return TAPS["here"].message % {"name": name}


def make_pair(tournament: Tournament, one: str, two: str, *, by: Actor, request_id: uuid.UUID) -> str:
    """Make two single entrants a pair. Returns the message to show. Raises ``not-allowed``, Refused."""
    _desk_only(by)
    fields: dict[str, Plain] = {"pairs": [[one, two]], "substitutes": True}
    receipt = log.act(tournament.pk, [("pairs.made", fields)], by=by, request_id=request_id)
    pair = receipt.state.entrants[one]
    return gettext("A pair: %(name)s.") % {"name": names_of(tournament, receipt.state).entrant(pair)}


def _desk_only(by: Actor) -> None:
    if by.what != permissions.DESK:
        raise TournamentError("not-allowed")
