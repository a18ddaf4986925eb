"""The pages of the list of members: requests and invitations, entries and roles, files."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Player
from clubs import naming, permissions, spreadsheets
from clubs.exceptions import BadFile
from clubs.forms.club import AskForm, FileForm, InviteForm, ListForm, MemberForm, PersonForm, TakeOverForm, span
from clubs.models import ClubEvent, JoinRequest, Member
from clubs.permissions import Act
from clubs.services import common, joining, members
from clubs.services import importing as services_importing
from clubs.services.importing import Done, Outcome, Plan
from clubs.views.base import Visit, at_club, confirm_page
from core.http import page_of, require_safe_or_post, search_text, unlisted
from core.limits import take
from core.qr import code_picture
from games.exceptions import Malformed
from games.lobby.selectors import open_tables


def _names(player: Player) -> dict[str, str]:
    first, _blank, last = player.name.partition(" ")
    return {"first_name": first, "last_name": last}


@require_safe_or_post
@at_club
def ask(visit: Visit) -> HttpResponseBase:
    player = visit.member()
    if visit.request.method != "POST":
        joining.check_may_ask(visit.club, player)  # before anybody fills in a form in vain
    form = AskForm(visit.sent, initial=_names(player))

    def save() -> HttpResponseRedirect:
        visit.limit("club-ask", rate=20, burst=10)
        joining.ask(visit.club, player, form.person(), form.cleaned_data["message"], request_id=visit.request_id)
        return visit.done(visit.url("home"), _("The club has your request. You are told when it is answered."))

    return visit.form_page("clubs/ask.html", form, save, {"keeps": span(visit.club.keeps_months)})


@require_POST
@at_club
def withdraw(visit: Visit) -> HttpResponseBase:
    joining.withdraw(visit.club, visit.member(), request_id=visit.request_id)
    return visit.done(visit.url("home"), _("Your request has been withdrawn."))


@require_GET
@at_club
def requests(visit: Visit) -> HttpResponseBase:
    """The open requests to join, and the open invitations."""
    visit.check(Act.KEEP_MEMBERS)
    find = search_text(visit.request)
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
        "found": _people_called(visit, find) if find else [],
    }
    return visit.page("clubs/requests.html", context)


def _alike(asking: JoinRequest) -> list[tuple[str, str]]:
    """The entries without an account that may be the person who asks: public id and name."""
    entries = members.alike(asking.club, asking.first_name, asking.last_name)
    return [(member.public_id, naming.full_name(member)) for member in entries if member.player_id is None]


def _people_called(visit: Visit, name: str) -> list[Player]:
    player = visit.member()
    if not take(f"find-people:{player.pk}", rate=60, per=600, burst=30):
        return []
    return open_tables.people_called(name, player)


@require_POST
@at_club
def answer(visit: Visit, public_id: str) -> HttpResponseBase:
    """Accept or decline a request to join."""
    request_id, post = visit.request_id, visit.request.POST
    if post.get("answer") == "yes":
        entry = post.get("entry", "")[:20]
        member = joining.accept(visit.club, visit.member(), public_id, entry=entry, request_id=request_id)
        message = _("%(name)s is a member now.") % {"name": naming.shown_name(member, naming.STAFF)}
    elif post.get("answer") == "no":
        joining.decline(visit.club, visit.member(), public_id, request_id=request_id)
        message = _("The request has been declined, and the person has been told.")
    else:
        raise Malformed("answer is yes or no")
    return visit.done(visit.url("requests"), message)


@require_POST
@at_club
def invite(visit: Visit) -> HttpResponseBase:
    """Create a link: for anybody, for an entry (`entry`), or for one player (`person`)."""
    post = visit.request.POST
    visit.limit("club-invite", rate=120, burst=60)
    person = None
    if post.get("person"):
        person = open_tables.person_to_invite(post["person"])
        if person is None:
            raise Malformed("person is the public id of a player")
    entry = post.get("entry", "")[:20]
    joining.invite(
        visit.club,
        visit.member(),
        holds=InviteForm(post).duration(),
        entry=entry,
        player=person,
        request_id=visit.request_id,
    )
    message = _("The link is ready: send it, or show its picture.")
    if person is not None:
        message = _("%(name)s has been invited and told about it.") % {"name": person.display_name}
    return visit.done(visit.url("member", entry) if entry else visit.url("requests"), message)


@require_POST
@at_club
def revoke(visit: Visit, invitation: int) -> HttpResponseBase:
    """Revoke an invitation: its link stops working."""
    joining.revoke(visit.club, visit.member(), invitation, request_id=visit.request_id)
    return visit.done(visit.url("requests"), _("The invitation has been revoked: its link no longer opens anything."))


@require_safe_or_post
@at_club
def invitation(visit: Visit, token: str) -> HttpResponseBase:
    """Accept an invitation or decline it. Opening the page changes nothing."""
    row = joining.find_invitation(visit.club, token)
    player = visit.player
    entry = row.member
    # The link was given to one person, so whoever has it may see whose entry it is.
    context: dict[str, object] = {
        "entry": naming.full_name(entry) if entry is not None else "",
        "by_name": row.player_id is not None and player is not None and row.player_id == player.pk,
        "keeps": span(visit.club.keeps_months),
    }
    if player is None or not player.is_member:
        return visit.page("clubs/invitation.html", context | {"sign_in": True})
    if "refuse" in visit.request.POST:
        joining.refuse(visit.club, player, token, request_id=visit.request_id)
        return visit.done(visit.url("home"), _("The invitation is declined."))
    form = TakeOverForm(visit.sent) if entry is not None else PersonForm(visit.sent, initial=_names(player))

    def save() -> HttpResponseRedirect:
        joining.follow(visit.club, player, token, form.person(), request_id=visit.request_id)
        return visit.done(visit.url("home"), _("Welcome! You are a member of %(club)s.") % {"club": visit.club.name})

    return visit.form_page("clubs/invitation.html", form, save, context)


@require_GET
@at_club
def qr(visit: Visit, token: str) -> HttpResponseBase:
    """The link of an invitation as a QR code, for other people's cameras."""
    joining.find_invitation(visit.club, token)
    response = code_picture(visit.request.build_absolute_uri(visit.url("invitation", token)))
    patch_cache_control(response, private=True, max_age=3600)
    return response


PER_PAGE: Final = 50
LINES_SHOWN: Final = 200
"""How many lines of each outcome a dry run shows; the others are only counted."""


@require_GET
@at_club
def member_list(visit: Visit) -> HttpResponseBase:
    """The list of members. Those who keep it see everything; others in the club see names and roles.

    Ordinary members do not see guests: somebody who came for one evening has not joined, and is known to the staff
    only.
    """
    visit.check(Act.SEE_MEMBERS)
    keeps = visit.standing.may(Act.KEEP_MEMBERS)
    form = ListForm(visit.request.GET, members.groups_of(visit.club) if keeps else ())
    sought = form.sought()
    searching = sought != members.MemberSearch() if keeps else bool(sought.name)
    if not keeps:
        sought = members.MemberSearch(name=sought.name, who="" if visit.standing.is_staff else "members")
    rows = members.members_list(visit.club, sought)
    page = page_of(visit.request, rows.select_related("club", "player"), PER_PAGE)
    context = {
        "search": form,
        "searching": searching,
        "page": page,
        "rows": [(member, naming.shown_name(member, visit.standing.audience)) for member in page],
        "invited": set(joining.open_invitations(visit.club).values_list("member", flat=True)) if keeps else (),
        "keeps": keeps,
    }
    return visit.page("clubs/members.html", context)


@require_safe_or_post
@at_club
def new(visit: Visit) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    form = MemberForm(visit.sent)
    if form.is_valid() and "sure" not in form.data:
        entered = common.answered(visit.club, visit.member(), visit.request_id, "member.entered")
        alike = members.alike(visit.club, form.cleaned_data["first_name"], form.cleaned_data["last_name"])
        if alike and not entered:
            names = [(member, naming.shown_name(member, naming.STAFF)) for member in alike]
            return visit.page("clubs/member_new.html", {"form": form, "alike": names}, status=422)

    def save() -> HttpResponseRedirect:
        member = members.enter(visit.club, visit.member(), form.details(), request_id=visit.request_id)
        message = _("%(name)s is in the list now.") % {"name": naming.shown_name(member, naming.STAFF)}
        return visit.done(visit.url("members"), message)

    return visit.form_page("clubs/member_new.html", form, save)


@require_safe_or_post
@at_club
def entry(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    member = common.member_of(visit.club, public_id)
    form = MemberForm(visit.sent, entry=member)

    def save() -> HttpResponseRedirect:
        members.change(visit.club, visit.member(), public_id, form.details(), request_id=visit.request_id)
        return visit.done(visit.url("member", public_id), _("Saved."))

    member.club = visit.club
    invitation = member.invitations.filter(state="open", expires_at__gt=timezone.now()).order_by("-pk").first()
    context = {
        "entry": member,
        "name": naming.shown_name(member, naming.STAFF),
        "public": naming.shown_name(member, naming.PUBLIC),
        "roles": Member.Role.choices,
        "invite": InviteForm(),
        "invitation": visit.request.build_absolute_uri(visit.url("invitation", invitation.token)) if invitation else "",
        "events": _events(member),
    }
    return visit.form_page("clubs/member.html", form, save, context)


_EVENTS: Final = {
    "member.entered": gettext_lazy("entered into the list"),
    "member.changed": gettext_lazy("changed"),
    "member.consent": gettext_lazy("said whether they may be named"),
    "role.given": gettext_lazy("given a role"),
    "role.passed": gettext_lazy("became president, because nobody else was left"),
    "member.left": gettext_lazy("left"),
    "member.ended": gettext_lazy("noted as having left"),
    "member.returned": gettext_lazy("taken back"),
    "request.accepted": gettext_lazy("request accepted"),
    "invitation.followed": gettext_lazy("followed an invitation"),
    "invitation.made": gettext_lazy("invited"),
    "club.founded": gettext_lazy("founded the club"),
}


def _events(member: Member) -> list[tuple[ClubEvent, str]]:
    """What was done with the entry, in words, the latest first."""
    rows = ClubEvent.objects.filter(member=member).select_related("actor__merged_into").order_by("-pk")[:20]
    return [(row, str(_EVENTS[row.what])) for row in rows if row.what in _EVENTS]


@require_POST
@at_club
def role(visit: Visit, public_id: str) -> HttpResponseBase:
    new_role = visit.request.POST.get("role", "")
    if new_role not in Member.Role.values:
        raise Malformed("role is one of the roles")
    own = visit.standing.member
    president = Member.Role.PRESIDENT
    if own is not None and own.public_id == public_id and own.role == president != new_role:
        members.check_not_last_president(visit.club, own)
        if "sure" not in visit.request.POST:
            return confirm_page(
                visit,
                title=_("Give up the role of president?"),
                lost=[_("Only another president can give it back to you.")],
                button=_("Give up the role"),
                back=visit.url("member", public_id),
                hidden={"role": new_role, "sure": "yes"},
            )
    members.give_role(visit.club, visit.member(), public_id, new_role, request_id=visit.request_id)
    still_keeps = permissions.may(visit.player, visit.club, Act.KEEP_MEMBERS)  # unless they gave up their own role
    return visit.done(visit.url("member", public_id) if still_keeps else visit.url("home"), _("The role is given."))


@require_POST
@at_club
def end(visit: Visit, public_id: str) -> HttpResponseBase:
    """Note that somebody has left; `take_back` undoes it."""
    members.end(visit.club, visit.member(), public_id, request_id=visit.request_id)
    return visit.done(visit.url("member", public_id), _("Noted as having left."))


@require_POST
@at_club
def take_back(visit: Visit, public_id: str) -> HttpResponseBase:
    """Take somebody who left back into the club."""
    members.take_back(visit.club, visit.member(), public_id, request_id=visit.request_id)
    return visit.done(visit.url("member", public_id), _("Taken back into the list."))


@require_safe_or_post
@at_club
def remove(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.KEEP_MEMBERS)
    if visit.request.method == "POST":
        stays = members.remove(visit.club, visit.member(), public_id, request_id=visit.request_id)
        message = _("The entry is deleted; results keep its initials.") if stays else _("The entry is deleted.")
        return visit.done(visit.url("members"), message)
    member = common.member_of(visit.club, public_id)
    members.check_not_last_president(visit.club, member)
    lost = [
        _("Name, address, year of birth and groups are deleted."),
        _("A role and a link to an account are deleted with them."),
    ]
    if members.stands_in_results(member):
        lost.append(_("Results keep initials in place of the name."))
    title = _("Delete the entry of %(name)s?") % {"name": naming.shown_name(member, naming.STAFF)}
    return confirm_page(
        visit, title=title, lost=lost, button=_("Delete the entry"), back=visit.url("member", public_id)
    )


# files


@require_GET
@at_club
def export(visit: Visit, form: str) -> HttpResponseBase:
    data = services_importing.export_members(visit.club, visit.member(), form)
    response = HttpResponse(data, content_type=spreadsheets.XLSX if form == "xlsx" else spreadsheets.CSV)
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="{visit.club.slug}-{day}.{form}"'
    return unlisted(response)


@require_safe_or_post
@at_club
def bring(visit: Visit) -> HttpResponseBase:
    """Upload a file, to see what importing it would do."""
    visit.check(Act.KEEP_MEMBERS)
    form = FileForm(visit.sent, visit.request.FILES or None)

    def save() -> HttpResponseRedirect:
        visit.limit("club-import", rate=60, burst=20)
        file = form.cleaned_data["file"]
        if (file.size or 0) > spreadsheets.MOST_BYTES:
            raise BadFile(_("This file is too large: at most 1 MB."))
        row = services_importing.read_file(visit.club, visit.member(), file.name or "", file.read())
        return visit.done(visit.url("import-draft", row.token))

    context = {
        "columns": [services_importing.column_title(field) for field in services_importing.COLUMNS],
        "most": spreadsheets.MOST_ROWS,
    }
    return visit.form_page("clubs/import.html", form, save, context, field="file")


@require_safe_or_post
@at_club
def draft(visit: Visit, token: str) -> HttpResponseBase:
    """Show what importing a file would do, line by line; import it (POST), or throw it away (`away`)."""
    visit.check(Act.KEEP_MEMBERS)
    if visit.request.method == "POST":
        if "away" in visit.request.POST:
            services_importing.forget_draft(visit.club, visit.member(), token)
            return visit.done(visit.url("members"), _("Nothing was changed, and nothing of the file is kept."))
        also = frozenset(int(each) for each in visit.request.POST.getlist("also") if each.isdecimal() and len(each) < 6)
        result = services_importing.apply_draft(
            visit.club, visit.member(), token, also=also, request_id=visit.request_id
        )
        messages.success(visit.request, _counts(result))
        if result.wrong:
            refused = ngettext(
                "%(n)d line of the file could not be taken.",
                "%(n)d lines of the file could not be taken.",
                result.wrong,
            )
            messages.warning(visit.request, refused % {"n": result.wrong})
        if result.left:
            lines = ", ".join(map(str, result.left))
            skipped = _(
                "The list has changed in the meantime, so these lines were left alone: %(lines)s. Send the file again."
            )
            messages.warning(visit.request, skipped % {"lines": lines})
        return visit.done(visit.url("members"))
    row, plan = services_importing.draft(visit.club, visit.member(), token)
    if row.applied_at is not None:
        return visit.done(visit.url("members"))
    context = {"draft": row, "plan": plan, "parts": _parts(plan)}
    return visit.page("clubs/import_draft.html", context)


_PARTS: Final = {
    Outcome.WRONG: gettext_lazy("Cannot be taken"),
    Outcome.DOUBTFUL: gettext_lazy("In doubt"),
    Outcome.CHANGED: gettext_lazy("Would be changed"),
    Outcome.NEW: gettext_lazy("Would be new"),
    Outcome.SAME: gettext_lazy("Already as in the file"),
}


def _parts(plan: Plan) -> list[tuple[str, str, list[services_importing.Line], int]]:
    """The lines by outcome: the outcome, its heading, the lines that are shown, and how many more there are."""
    parts = []
    for outcome, title in _PARTS.items():
        lines = [line for line in plan.lines if line.outcome == outcome]
        if lines:
            few = lines if outcome == Outcome.DOUBTFUL else lines[:LINES_SHOWN]
            parts.append((str(outcome), str(title), few, len(lines) - len(few)))
    return parts


def _counts(result: Done) -> str:
    entered = ngettext("%(n)d person entered", "%(n)d people entered", result.entered) % {"n": result.entered}
    changed = ngettext("%(n)d entry changed", "%(n)d entries changed", result.changed) % {"n": result.changed}
    return f"{entered}, {changed}."
