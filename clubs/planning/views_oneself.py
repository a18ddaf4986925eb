"""Entering by oneself, over HTTP."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import take
from accounts.models import Player
from clubs.evening.state import PAIR, State
from clubs.online.substituting import plays_online
from clubs.online_pages.wording import how_it_works
from clubs.planning import entering
from clubs.room import naming
from clubs.room.forms import PersonForm
from clubs.room.refusals import AccountNeeded, TooOften
from clubs.tournament_models import Tournament
from clubs.tournaments.pages import Visit, at_tournament, done, shown
from games.refusals import Refusal


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def oneself(visit: Visit) -> HttpResponseBase:
    """Enter, or say that one does not come, for oneself."""
    asked = visit.asked
    tournament, state, player = asked.tournament, asked.state, asked.player
    if not tournament.is_public and asked.standing.member is None:
        raise Http404
    member, known = entering.own_entry(tournament, state, player)
    needs_name = member is None or member.left_on is not None
    data = visit.request.POST if visit.request.method == "POST" else None
    first, _blank, last = (player.name if player else "").partition(" ")
    form = PersonForm(data, initial={"first_name": first, "last_name": last})
    refusal, status = "", 200
    if data is not None:
        try:
            answer = _oneself(visit, form, needs_name=needs_name)
            if answer is not None:
                return answer
            status = 422
        except Refusal as why:
            refusal, status = str(why.message), why.status
    closed: Refusal | None = None
    if not known:
        try:
            entering.may_enter(tournament, state, player, member)
        except Refusal as why:
            closed = why
    context: dict[str, Any] = {
        "form": form if needs_name else None,
        "known": known,
        "entrant": state.entrants.get(known) if known else None,
        "own_name": naming.full_name(member) if member is not None else "",
        "closed": str(closed.message) if closed else "",
        "sign_in": isinstance(closed, AccountNeeded) and (player is None or not player.is_member),
        "next": visit.request.path,
        "can_withdraw": bool(known) and not state.phases,
        "online": plays_online(state) and not state.closed,
        "how_online": how_it_works(state.current.plan if state.current else state.plan),
        "pausing": bool(known) and is_pausing(state, known),
        "left": max(0, tournament.most - len(entering.entered(state))) if tournament.most else None,
        "pairs": state.plan.kind == PAIR,
        "fee": state.fee,
        "refusal": refusal if not closed or refusal != str(closed.message) else "",
        "tab": "home",
    }
    return shown(visit, "clubs/planning/oneself.html", context, status=status)


def _oneself(visit: Visit, form: PersonForm, *, needs_name: bool) -> HttpResponseBase | None:
    asked = visit.asked
    if asked.player is None or not asked.player.is_member:
        raise AccountNeeded
    if not take(f"enter-oneself:{asked.player.pk}", rate=30, per=3600, burst=10):
        raise TooOften
    if (do := visit.request.POST.get("do", "")) in _LATER:
        told = _later(asked.tournament, asked.player, do, visit.sent)
        messages.success(visit.request, told)
        return done(visit.url("enter"))
    if visit.request.POST.get("do") == "withdraw":
        entering.withdraw_oneself(asked.tournament, asked.player, request_id=visit.sent)
        messages.success(visit.request, _("You do not come. The club sees it in its list."))
        return done(visit.url("enter"))
    if needs_name and not form.is_valid():
        return None
    person = form.person() if needs_name else entering.NOBODY
    entering.enter_oneself(asked.tournament, asked.player, person, request_id=visit.sent)
    messages.success(visit.request, _("You have entered. See you there!"))
    return done(visit.url("enter"))


_LATER: Final = frozenset({"pause", "play-on", "leave", "return"})
"""What somebody does in the middle of a season that is played online."""


def _later(tournament: Tournament, player: Player, do: str, request_id: uuid.UUID) -> str:
    """Do it, and say what was done. Raises Refusal."""
    if do == "leave":
        entering.leave_oneself(tournament, player, request_id=request_id)
        return _("You have left. Somebody else finishes your games; what you have played counts.")
    if do == "return":
        entering.return_oneself(tournament, player, request_id=request_id)
        return _("You play again from the next round on.")
    entering.pause_oneself(tournament, player, off=do == "play-on", request_id=request_id)
    return _("You sit out the next round.") if do == "pause" else _("You play the next round.")


def is_pausing(state: State, entrant: str) -> bool:
    """Whether an entrant sits out the next round."""
    phase = state.current
    key = f"{phase.number}.{len(phase.rounds) + 1}" if phase else "1.1"
    return key in state.entrants[entrant].pauses
