"""Coming into a club over HTTP: asking, being answered, inviting, following an invitation."""

from __future__ import annotations

import io
import uuid

import segno
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Player
from clubs import naming
from clubs.exceptions import AccountNeeded, ClubError
from clubs.forms.club import AskForm, PersonForm, TakeOverForm, span
from clubs.forms.members import InviteForm
from clubs.models import Club, JoinRequest
from clubs.permissions import Act
from clubs.services import joining, members
from clubs.views.base import Visit, at_club, done, limit, request_id, shown, tried
from core.exceptions import Refusal
from core.http import require_safe_or_post
from core.limits import take
from games.exceptions import Malformed
from games.lobby import selectors


def _names(player: Player) -> dict[str, str]:
    first, _blank, last = player.name.partition(" ")
    return {"first_name": first, "last_name": last}


@require_safe_or_post
@at_club
def ask(visit: Visit) -> HttpResponseBase:
    """Ask to become a member."""
    player = visit.member()
    if visit.club.joining != Club.Joining.REQUEST:
        raise ClubError("by-invitation")
    form = AskForm(visit.sent, initial=_names(player))

    def save(sent: uuid.UUID) -> str:
        limit(visit, "ask", rate=20, burst=10)
        joining.ask(visit.club, player, form.person(), form.cleaned_data["message"], request_id=sent)
        messages.success(visit.request, _("The club has your request. You are told when it is answered."))
        return visit.url("home")

    onward, status = tried(visit, form, save)
    context = {"form": form, "keeps": span(visit.club.keeps_months), "request_id": uuid.uuid4()}
    return onward or shown(visit, "clubs/ask.html", context, status=status)


@require_POST
@at_club
def withdraw(visit: Visit) -> HttpResponseBase:
    """Take one's own request back."""
    joining.withdraw(visit.club, visit.member(), request_id=request_id(visit.request.POST))
    messages.success(visit.request, _("Your request is taken back."))
    return done(visit.url("home"))


@require_GET
@at_club
def requests(visit: Visit) -> HttpResponseBase:
    """Who wants to come in, and the invitations that are open."""
    visit.check(Act.KEEP_MEMBERS)
    find = visit.request.GET.get("find", "").strip()[:80]
    rows = joining.open_invitations(visit.club).select_related("member__club", "player__merged_into")
    context = {
        "asking": [(each, _alike(each)) for each in joining.open_requests(visit.club)],
        "invitations": [
            (
                each,
                naming.shown_name(each.member, naming.STAFF) if each.member is not None else "",
                visit.request.build_absolute_uri(visit.url("invitation", each.token)),
            )
            for each in rows
        ],
        "invite": InviteForm(),
        "find": find,
        "found": _found(visit, find) if find else [],
        "request_id": uuid.uuid4(),
    }
    return shown(visit, "clubs/requests.html", context)


def _alike(asking: JoinRequest) -> list[tuple[str, str]]:
    """Entries without an account that may be the person who asks: public id and name."""
    found = members.alike(asking.club, asking.first_name, asking.last_name)
    return [(member.public_id, naming.full_name(member)) for member in found if member.player_id is None]


def _found(visit: Visit, name: str) -> list[Player]:
    player = visit.member()
    if not take(f"find-people:{player.pk}", rate=60, per=600, burst=30):
        return []
    return selectors.people_called(name, player)


@require_POST
@at_club
def answer(visit: Visit, public_id: str) -> HttpResponseBase:
    """Accept or decline a request."""
    sent, post = request_id(visit.request.POST), visit.request.POST
    if post.get("answer") == "yes":
        member = joining.accept(
            visit.club, visit.member(), public_id, entry=post.get("entry", "")[:20], request_id=sent
        )
        messages.success(
            visit.request, _("%(name)s is a member now.") % {"name": naming.shown_name(member, naming.STAFF)}
        )
    elif post.get("answer") == "no":
        joining.decline(visit.club, visit.member(), public_id, request_id=sent)
        messages.success(visit.request, _("The request is declined, and the person told."))
    else:
        raise Malformed("answer is yes or no")
    return done(visit.url("requests"))


@require_POST
@at_club
def invite(visit: Visit) -> HttpResponseBase:
    """A new link: for everybody, for an entry (`entry`), or for one player (`person`)."""
    post = visit.request.POST
    limit(visit, "invite", rate=120, burst=60)
    person = None
    if post.get("person"):
        person = selectors.person_to_invite(post["person"])
        if person is None:
            raise Malformed("person is the public id of a player")
    entry = post.get("entry", "")[:20]
    joining.invite(
        visit.club,
        visit.member(),
        holds=InviteForm(post).duration(),
        entry=entry,
        player=person,
        request_id=request_id(post),
    )
    if person is not None:
        messages.success(visit.request, _("%(name)s is invited, and told of it.") % {"name": person.display_name})
    else:
        messages.success(visit.request, _("The link is ready: send it, or show its picture."))
    return done(visit.url("member", entry) if entry else visit.url("requests"))


@require_POST
@at_club
def revoke(visit: Visit, invitation: int) -> HttpResponseBase:
    """The link opens nothing any more."""
    joining.revoke(visit.club, visit.member(), invitation, request_id=request_id(visit.request.POST))
    messages.success(visit.request, _("The invitation is revoked: its link opens nothing any more."))
    return done(visit.url("requests"))


@require_safe_or_post
@at_club
def invitation(visit: Visit, token: str) -> HttpResponseBase:
    """Follow an invitation, or say no to it. Opening it changes nothing."""
    found = joining.find_invitation(visit.club, token)
    player = visit.player
    entry = found.member
    # Whose entry it is, is for who has the link: it was handed to that person.
    context: dict[str, object] = {
        "entry": naming.full_name(entry) if entry is not None else "",
        "by_name": found.player_id is not None and player is not None and found.player_id == player.pk,
        "keeps": span(visit.club.keeps_months),
        "request_id": uuid.uuid4(),
    }
    if player is None or not player.is_member:
        return shown(visit, "clubs/invitation.html", context | {"sign_in": True})
    data = visit.request.POST if visit.request.method == "POST" else None
    if data is not None and "refuse" in data:
        joining.refuse(visit.club, player, token, request_id=request_id(visit.request.POST))
        messages.success(visit.request, _("The invitation is declined."))
        return done(visit.url("home"))
    form = TakeOverForm(data) if entry is not None else PersonForm(data, initial=_names(player))
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                sent = request_id(visit.request.POST)
                joining.follow(visit.club, player, token, form.person(), request_id=sent)
            except AccountNeeded:
                raise
            except Refusal as refusal:
                form.add_error(None, str(refusal.message))
                status = refusal.status
            else:
                messages.success(visit.request, _("Welcome! You are a member of %(club)s.") % {"club": visit.club.name})
                return done(visit.url("home"))
    return shown(visit, "clubs/invitation.html", context | {"form": form}, status=status)


@require_GET
@at_club
def qr(visit: Visit, token: str) -> HttpResponseBase:
    """The link as a picture for the cameras of others."""
    joining.find_invitation(visit.club, token)
    address = visit.request.build_absolute_uri(visit.url("invitation", token))
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="svg", scale=4, border=4, light="#fff")
    response = HttpResponse(picture.getvalue(), content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=3600)
    return response
