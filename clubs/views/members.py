"""The list of members over HTTP: requests and invitations, entries and roles, files."""

from __future__ import annotations

import io
import uuid
from typing import Any, Final

import segno
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Player
from clubs import naming, permissions, spreadsheets
from clubs.exceptions import AccountNeeded, BadFile, ClubError
from clubs.forms.club import AskForm, FileForm, InviteForm, ListForm, MemberForm, PersonForm, TakeOverForm, span
from clubs.models import Club, ClubEvent, JoinRequest, Member
from clubs.permissions import Act
from clubs.services import common, joining, members
from clubs.services import importing as services_importing
from clubs.services.importing import Done, Outcome, Plan
from clubs.views.base import Visit, asked, at_club, done, limit, request_id, shown, tried
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post
from core.limits import take
from games.exceptions import Malformed
from games.lobby import selectors as lobby_selectors


def _names(player: Player) -> dict[str, str]:
    first, _blank, last = player.name.partition(" ")
    return {"first_name": first, "last_name": last}


@require_safe_or_post
@at_club
def ask(visit: Visit) -> HttpResponseBase:
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
    """The requests to join, and the invitations that are open."""
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
    return lobby_selectors.people_called(name, player)


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
        person = lobby_selectors.person_to_invite(post["person"])
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
    # The link was handed to one person: whoever has it may see whose entry it is.
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


PER_PAGE: Final = 50
LINES_SHOWN: Final = 200
"""Of a dry run, of each kind; more are counted."""


@require_GET
@at_club
def member_list(visit: Visit) -> HttpResponseBase:
    """The list. Who keeps it sees everything, others of the club names and roles; members read of members only: who came
    as a guest for an evening did not join, and is known to who runs the evenings."""
    visit.check(Act.SEE_MEMBERS)
    keeps = visit.standing.may(Act.KEEP_MEMBERS)
    form = ListForm(visit.request.GET, members.groups_of(visit.club) if keeps else ())
    sought = form.sought()
    searching = sought != members.Sought() if keeps else bool(sought.name)
    if not keeps:
        sought = members.Sought(name=sought.name, who="" if visit.standing.is_staff else "members")
    rows = members.members_list(visit.club, sought)
    page = page_of(visit.request, rows.select_related("club", "player"), PER_PAGE)
    context = {
        "search": form,
        "searching": searching,
        "page": page,
        "rows": [(member, naming.shown_name(member, visit.standing.audience)) for member in page],
        "keeps": keeps,
    }
    return shown(visit, "clubs/members.html", context)


@require_safe_or_post
@at_club
def new(visit: Visit) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    data = visit.request.POST if visit.request.method == "POST" else None
    form = MemberForm(data)
    status, alike = 200, []
    if data is not None:
        status = 422
        if form.is_valid():
            details = form.details()
            if "sure" not in data:
                alike = members.alike(visit.club, details.first_name, details.last_name)
            if not alike:
                try:
                    made = members.enter(visit.club, visit.member(), details, request_id=request_id(visit.request.POST))
                except Refusal as refusal:
                    form.add_error(None, str(refusal.message))
                    status = refusal.status
                else:
                    told = _("%(name)s is in the list now.") % {"name": naming.shown_name(made, naming.STAFF)}
                    messages.success(visit.request, told)
                    return done(visit.url("members"))
    context = {
        "form": form,
        "alike": [(member, naming.shown_name(member, naming.STAFF)) for member in alike],
        "request_id": uuid.uuid4(),
    }
    return shown(visit, "clubs/member_new.html", context, status=status)


@require_safe_or_post
@at_club
def entry(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    member = common.member_of(visit.club, public_id)
    form = MemberForm(visit.sent, entry=member)

    def save(sent: uuid.UUID) -> str:
        members.change(visit.club, visit.member(), public_id, form.details(), request_id=sent)
        messages.success(visit.request, _("Saved."))
        return visit.url("member", public_id)

    onward, status = tried(visit, form, save)
    if onward is not None:
        return onward
    member.club = visit.club
    invitation = member.invitations.filter(state="open", expires_at__gt=timezone.now()).order_by("-pk").first()
    context = {
        "form": form,
        "entry": member,
        "name": naming.shown_name(member, naming.STAFF),
        "public": naming.shown_name(member, naming.PUBLIC),
        "roles": Member.Role.choices,
        "invite": InviteForm(),
        "invitation": visit.request.build_absolute_uri(visit.url("invitation", invitation.token)) if invitation else "",
        "events": _events(member),
        "request_id": uuid.uuid4(),
    }
    return shown(visit, "clubs/member.html", context, status=status)


def _events(member: Member) -> list[tuple[ClubEvent, str]]:
    """What was done with the entry, the latest first."""
    said = {
        "member.entered": _("entered into the list"),
        "member.changed": _("changed"),
        "member.consent": _("said whether they may be named"),
        "role.given": _("given a role"),
        "role.passed": _("became president, because nobody else was left"),
        "member.left": _("left"),
        "member.ended": _("noted as having left"),
        "member.returned": _("taken back"),
        "request.accepted": _("request accepted"),
        "invitation.followed": _("followed an invitation"),
        "invitation.made": _("invited"),
        "club.founded": _("founded the club"),
    }
    rows = ClubEvent.objects.filter(member=member).select_related("actor__merged_into").order_by("-pk")[:20]
    return [(row, said[row.what]) for row in rows if row.what in said]


@require_POST
@at_club
def role(visit: Visit, public_id: str) -> HttpResponseBase:
    wanted = visit.request.POST.get("role", "")
    if wanted not in Member.Role.values:
        raise Malformed("role is one of the roles")
    members.give_role(visit.club, visit.member(), public_id, wanted, request_id=request_id(visit.request.POST))
    messages.success(visit.request, _("The role is given."))
    still = permissions.may(visit.player, visit.club, Act.KEEP_MEMBERS)
    return done(visit.url("member", public_id) if still else visit.url("home"))


@require_POST
@at_club
def end(visit: Visit, public_id: str) -> HttpResponseBase:
    """Note that somebody has left; it can be taken back."""
    members.end(visit.club, visit.member(), public_id, request_id=request_id(visit.request.POST))
    messages.success(visit.request, _("Noted as having left."))
    return done(visit.url("member", public_id))


@require_POST
@at_club
def take_back(visit: Visit, public_id: str) -> HttpResponseBase:
    """Somebody who left belongs to the club again."""
    members.take_back(visit.club, visit.member(), public_id, request_id=request_id(visit.request.POST))
    messages.success(visit.request, _("Taken back into the list."))
    return done(visit.url("member", public_id))


@require_safe_or_post
@at_club
def remove(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    if visit.request.method == "POST":
        sent = request_id(visit.request.POST)
        stays = members.remove(visit.club, visit.member(), public_id, request_id=sent)
        told = _("The entry is deleted; results keep its initials.") if stays else _("The entry is deleted.")
        messages.success(visit.request, told)
        return done(visit.url("members"))
    member = common.member_of(visit.club, public_id)
    lost = [_("Name, address, year of birth and groups"), _("The role and the link to the account, if there are any")]
    if members.stands_in_results(member):
        lost.append(_("Results keep initials in place of the name."))
    title = _("Delete the entry of %(name)s?") % {"name": naming.shown_name(member, naming.STAFF)}
    return asked(visit, title=title, lost=lost, button=_("Delete the entry"), back=visit.url("member", public_id))


# files


@require_GET
@at_club
def export(visit: Visit, form: str) -> HttpResponseBase:
    data = services_importing.export_members(visit.club, visit.member(), form)
    response = HttpResponse(data, content_type=spreadsheets.XLSX if form == "xlsx" else spreadsheets.CSV)
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="{visit.club.slug}-{day}.{form}"'
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe_or_post
@at_club
def bring(visit: Visit) -> HttpResponseBase:
    """Send a file, to see what it would do."""
    visit.check(Act.KEEP_MEMBERS)
    form = FileForm()
    status = 200
    if visit.request.method == "POST":
        form = FileForm(visit.request.POST, visit.request.FILES)
        status = 422
        if form.is_valid():
            try:
                limit(visit, "import", rate=60, burst=20)
                sent = form.cleaned_data["file"]
                kept = services_importing.read_file(visit.club, visit.member(), sent.name or "", _bytes(sent))
            except Refusal as refusal:
                form.add_error("file", str(refusal.message))
                status = refusal.status
            else:
                return done(visit.url("import-draft", kept.token))
    context = {
        "form": form,
        "columns": [services_importing.column_title(field) for field in services_importing.COLUMNS],
        "most": spreadsheets.MOST_ROWS,
    }
    return shown(visit, "clubs/import.html", context, status=status)


def _bytes(sent: UploadedFile[Any]) -> bytes:
    if (sent.size or 0) > spreadsheets.MOST_BYTES:
        raise BadFile(_("This file is too large: at most 1 MB."))
    return bytes(sent.read())


@require_safe_or_post
@at_club
def draft(visit: Visit, token: str) -> HttpResponseBase:
    """What a file would do, line by line; and doing it."""
    visit.check(Act.KEEP_MEMBERS)
    if visit.request.method == "POST":
        if "away" in visit.request.POST:
            services_importing.forget_draft(visit.club, visit.member(), token)
            messages.success(visit.request, _("Nothing was changed, and nothing of the file is kept."))
            return done(visit.url("members"))
        also = frozenset(int(each) for each in visit.request.POST.getlist("also") if each.isdecimal() and len(each) < 6)
        result = services_importing.apply_draft(
            visit.club, visit.member(), token, also=also, request_id=request_id(visit.request.POST)
        )
        messages.success(visit.request, _told(result))
        if result.left:
            lines = ", ".join(map(str, result.left))
            left = _("The list has changed meanwhile: these lines were left alone: %(lines)s. Send the file again.")
            messages.warning(visit.request, left % {"lines": lines})
        return done(visit.url("members"))
    kept, found = services_importing.draft(visit.club, visit.member(), token)
    if kept.applied_at is not None:
        return done(visit.url("members"))
    context = {"draft": kept, "plan": found, "parts": _parts(found), "request_id": uuid.uuid4()}
    return shown(visit, "clubs/import_draft.html", context)


def _parts(found: Plan) -> list[tuple[str, str, list[services_importing.Line], int]]:
    """The lines by what they would do: kind, heading, those that are shown, how many more there are."""
    titles = {
        Outcome.WRONG: _("Cannot be taken"),
        Outcome.DOUBTFUL: _("Perhaps there already"),
        Outcome.CHANGED: _("Would be changed"),
        Outcome.NEW: _("Would be new"),
        Outcome.SAME: _("Already as in the file"),
    }
    parts = []
    for outcome, title in titles.items():
        lines = [line for line in found.lines if line.outcome == outcome]
        if lines:
            few = lines if outcome == Outcome.DOUBTFUL else lines[:LINES_SHOWN]
            parts.append((str(outcome), title, few, len(lines) - len(few)))
    return parts


def _told(result: Done) -> str:
    entered = ngettext("%(n)d person entered", "%(n)d people entered", result.entered) % {"n": result.entered}
    changed = ngettext("%(n)d entry changed", "%(n)d entries changed", result.changed) % {"n": result.changed}
    return f"{entered}, {changed}."
