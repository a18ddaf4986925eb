"""Inviting people to enter an online tournament: by name, or all members of the club."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.limits import take
from clubs.online import inviting
from clubs.planning import entering
from clubs.room import naming
from clubs.room.refusals import TooOften
from clubs.tournaments.pages import Visit, at_tournament, done, shown
from games.refusals import Refusal

MOST: Final = 100
"""So many names at once; who is looked for by letters is found among all."""


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def invite(visit: Visit) -> HttpResponseBase:
    """Choose whom to invite. Each is told once, with the way in; who has entered or was invited is passed over."""
    visit.check_runs()
    asked = visit.asked
    refusal, status = "", 200
    if visit.request.method == "POST":
        try:
            told = _invited(visit)
        except Refusal as why:
            refusal, status = str(why.message), why.status
        else:
            said = ngettext("%(count)s person was invited.", "%(count)s people were invited.", told) % {"count": told}
            messages.success(
                visit.request, said if told else _("Everybody you chose was invited before, or has entered.")
            )
            return done(visit.url("invite"))
    find = visit.request.GET.get("find", "").strip()[:80]
    rows = entering.candidates(asked.tournament.club, asked.state, find).filter(player__isnull=False)
    context = {
        "find": find,
        "people": [(each.public_id, naming.full_name(each)) for each in rows[:MOST]],
        "chosen": visit.request.POST.getlist("who"),
        "may": inviting.can_invite(asked.tournament),
        "refusal": refusal,
        "tab": "entries",
    }
    return shown(visit, "clubs/online/invite.html", context, status=status)


def _invited(visit: Visit) -> int:
    asked = visit.asked
    assert asked.player is not None
    if not take(f"invite:{asked.player.pk}", rate=30, per=3600, burst=10):
        raise TooOften
    if visit.data.get("do") == "all":
        return inviting.invite_members(asked.tournament, asked.player)
    chosen = visit.request.POST.getlist("who")[:MOST]
    rows = entering.candidates(asked.tournament.club, asked.state).filter(public_id__in=chosen, player__isnull=False)
    players = [each.player for each in rows.select_related("player__merged_into") if each.player is not None]
    return inviting.invite(asked.tournament, players, asked.player, request_id=visit.sent)
