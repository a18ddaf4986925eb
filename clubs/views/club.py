"""Clubs over HTTP: their list, founding and closing one, its page, its house rules, and one’s own entry."""

from __future__ import annotations

import uuid
from typing import Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts import permissions as account_permissions
from accounts import security
from accounts.middleware import PlayerRequest
from accounts.models import Player
from clubs import evenings, naming, text
from clubs import text as club_text
from clubs.exceptions import BadFile, ClubError
from clubs.forms.club import ClubForm, PersonForm, SearchForm, span
from clubs.forms.house_rules import RulesFileForm, RulesForm
from clubs.models import Club, HouseRulesVersion, JoinRequest, Member
from clubs.permissions import Act
from clubs.services import calendar, common, letters, members, seasons
from clubs.text import prose
from clubs.views.base import Visit, asked, at_club
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, unlisted, whole_number
from core.limits import take
from core.text import fold
from domain.errors import DomainError
from domain.standings.profile import HouseRules, from_json, to_json
from games import forms as game_forms
from games.lobby.selectors import listed

PER_PAGE: Final = 20
_FEW: Final = 3
"""Dates and news that the club's page shows."""


@require_GET
def club_list(request: PlayerRequest) -> HttpResponseBase:
    """All clubs by name and canton, one's own first."""
    form = SearchForm(request.GET)
    form.is_valid()
    name, canton = form.cleaned_data.get("q", ""), form.cleaned_data.get("canton", "")
    rows = Club.objects.filter(closed_at__isnull=True, provisional=False)
    for word in fold(name).split():
        rows = rows.filter(name_key__contains=word)
    if canton:
        rows = rows.filter(canton=canton)
    here = Q(members__left_on__isnull=True, members__kind=Member.Kind.MEMBER)
    rows = rows.annotate(people=Count("members", filter=here)).order_by("name_key", "pk")
    context = {
        "search": form,
        "searching": bool(name or canton),
        "page": page_of(request, rows, PER_PAGE),
        "own": _own(request.visit.player),
        "player": request.visit.player,
    }
    return unlisted(render(request, "clubs/list.html", context))


def _own(player: Player | None) -> list[Member]:
    if player is None or not player.is_member:
        return []
    rows = Member.objects.filter(player=player, left_on__isnull=True, club__closed_at__isnull=True)
    return list(rows.select_related("club").order_by("club__name_key"))


@require_safe_or_post
def new(request: PlayerRequest) -> HttpResponseBase:
    player = request.visit.player
    if player is None or not player.is_member:
        return unlisted(render(request, "clubs/sign_in.html", status=200 if request.method == "GET" else 403))
    data = request.POST if request.method == "POST" else None
    first, _blank, last = player.name.partition(" ")
    form = ClubForm(data, initial={"language": get_language() or "en"})
    person = PersonForm(data, initial={"first_name": first, "last_name": last})
    status = 200
    if data is not None:
        status = 422
        if form.is_valid() & person.is_valid():
            try:
                if not take(f"found-club:{player.pk}", rate=5, per=86400, burst=5):
                    raise ClubError("too-often")
                sent = game_forms.read_request_id(request.POST)
                club = common.found(player, form.instance, person.person(), request_id=sent)
            except Refusal as refusal:
                form.add_error(None, str(refusal.message))
                status = refusal.status
            else:
                messages.success(
                    request, _("The club is founded. Now invite the others, or bring your list of members.")
                )
                return HttpResponseRedirect(reverse("club:home", args=[club.slug]), status=303)
    context = {"form": form, "person": person, "request_id": uuid.uuid4()}
    return unlisted(render(request, "clubs/new.html", context, status=status))


@require_GET
@at_club
def home(visit: Visit) -> HttpResponseBase:
    club, player = visit.club, visit.player
    staff = (
        Member.objects.select_related("club").filter(club=club, left_on__isnull=True).exclude(role=Member.Role.MEMBER)
    )
    order = list(Member.Role)
    asking = JoinRequest.objects.filter(club=club, player=player, state=JoinRequest.State.OPEN) if player else None
    rules = common.rules_of(common.current_rules(club))
    belongs = visit.standing.member is not None and visit.standing.member.kind == Member.Kind.MEMBER
    tables = listed.rows(listed.tables_of_club(club.slug, player), player) if belongs else []
    context = {
        "about": prose(club.about),
        "staff": [
            (member.get_role_display(), naming.shown_name(member, visit.standing.audience))
            for member in sorted(staff, key=lambda member: order.index(Member.Role(member.role)))
        ],
        "coming": calendar.upcoming(calendar.entries(club))[:_FEW],
        "news": [(each, prose(each.text, below=3)) for each in calendar.all_news(club)[:_FEW]],
        "people": Member.objects.filter(club=club, left_on__isnull=True, kind=Member.Kind.MEMBER).count(),
        "seasons": seasons.all_seasons(club)[:_FEW],
        "game": text.game_name(rules.ruleset),
        "keeps": span(club.keeps_months),
        "asking": asking is not None and asking.exists(),
        "belongs": belongs,
        "offers_passkey": player is not None
        and (visit.standing.rests or Act.EDIT in visit.standing.acts)
        and not account_permissions.has_second_factor(player),
        "tables": tables,
        "takes_requests": club.joining == Club.Joining.REQUEST,
    }
    return visit.public_page("clubs/home.html", context)


@require_safe_or_post
@at_club
def edit(visit: Visit) -> HttpResponseBase:
    """Change what the club says, and how it deals with names."""
    visit.check(Act.EDIT)
    form = ClubForm(visit.sent, instance=visit.club)

    def save() -> HttpResponseRedirect:
        club = common.edit(visit.club, visit.member(), form.instance, request_id=visit.request_id)
        told = _("The club is founded.") if visit.club.provisional else _("Saved.")
        return visit.done(reverse("club:home", args=[club.slug]), told)

    return visit.form_page("clubs/edit.html", form, save)


@require_safe_or_post
@at_club
def close(visit: Visit) -> HttpResponseBase:
    """Ask, then close it for good. A moderator, who does not belong to it, says once more who they are."""
    visit.check(Act.CLOSE)
    if visit.standing.member is None:
        answer: HttpResponseBase = reauthentication_required(lambda _request: _close_for_good(visit))(visit.request)
        return answer
    return _close_for_good(visit)


def _close_for_good(visit: Visit) -> HttpResponseBase:
    if visit.request.method == "POST":
        name = visit.club.name
        stays = common.close(visit.club, visit.member(), request_id=visit.request_id)
        security.note("club closed", visit.request, visit.member(), club=visit.club.slug)
        told = (
            _("%(club)s is closed. Results of its evenings stay, with initials.") if stays else _("%(club)s is closed.")
        )
        return visit.done(reverse("clubs:list"), told % {"club": name})
    people = Member.objects.filter(club=visit.club).count()
    lost = [
        _("The list of members with %(count)d entries, and all roles") % {"count": people},
        _("The calendar, the news, the seasons; subscribed calendars and feeds end"),
        _("Open requests and invitations"),
    ]
    if evenings.source().keeps_results(visit.club):
        lost.append(_("Names in results: they stay under their addresses, with initials"))
    title = _("Close %(club)s for good?") % {"club": visit.club.name}
    return asked(visit, title=title, lost=lost, button=_("Close the club"), back=visit.url("home"))


# one's own entry


def _entry(visit: Visit) -> Member:
    """The visitor's own entry, also after they left. Raises ``account-needed``, ``no-such-member``."""
    return common.first_of(
        Member.objects.select_related("club", "consent_by").filter(club=visit.club, player=visit.member()),
        "no-such-member",
    )


@require_GET
@at_club
def me(visit: Visit) -> HttpResponseBase:
    """What the club has written down about the visitor, and what they decide themselves."""
    entry = _entry(visit)
    context = {
        "entry": entry,
        "public": naming.shown_name(entry, naming.PUBLIC),
        "hall": naming.shown_name(entry, naming.HALL),
        "keeps": span(visit.club.keeps_months),
        "letters": letters.readers(visit.club).filter(pk=entry.pk).exists(),
    }
    return visit.page("clubs/me.html", context)


@require_POST
@at_club
def consent(visit: Visit) -> HttpResponseBase:
    """Say whether one may be named in public."""
    named = visit.request.POST.get("named") == "yes"
    members.consent(visit.club, visit.member(), named=named, request_id=visit.request_id)
    said = (
        _("You are named on public pages from now on.") if named else _("Public pages show your initials from now on.")
    )
    return visit.done(visit.url("me"), said)


@require_safe_or_post
@at_club
def leave(visit: Visit) -> HttpResponseBase:
    if visit.request.method == "POST":
        members.leave(visit.club, visit.member(), request_id=visit.request_id)
        return visit.done(visit.url("home"), _("You have left the club."))
    _entry(visit)
    lost = [_("You are no longer a member, and you lose your role if you have one.")]
    kept = _("Your entry stays in the list of those who left for %(time)s; then only initials are left.")
    lost.append(kept % {"time": span(visit.club.keeps_months)})
    title = _("Leave %(club)s?") % {"club": visit.club.name}
    return asked(visit, title=title, lost=lost, button=_("Leave the club"), back=visit.url("me"))


VERSIONS_SHOWN = 20


def _version(visit: Visit, text: str) -> HouseRulesVersion:
    return common.rules_version(visit.club, whole_number(text, 8) or 0)


@require_GET
@at_club
def rules(visit: Visit, number: int | None = None) -> HttpResponseBase:
    """The rules in force, or those of a version: as they are read and printed."""
    latest = common.current_rules(visit.club)
    row = latest if number is None else common.rules_version(visit.club, number)
    rows = HouseRulesVersion.objects.filter(club=visit.club).order_by("-version")
    context = {
        "row": row,
        "latest": latest.version,
        "rules": common.rules_of(row),
        "parts": club_text.rules_in_words(common.rules_of(row)),
        "versions": page_of(visit.request, rows, VERSIONS_SHOWN),
    }
    return visit.public_page("clubs/rules.html", context)


@require_GET
@at_club
def compare_rules(visit: Visit) -> HttpResponseBase:
    """What one version says otherwise than another (`from`, `to`: numbers; by default the last two)."""
    latest = common.current_rules(visit.club).version
    after = _version(visit, visit.request.GET.get("to", str(latest)))
    before = _version(visit, visit.request.GET.get("from", str(max(1, after.version - 1))))
    context = {
        "before": before,
        "after": after,
        "differences": club_text.rule_differences(common.rules_of(before), common.rules_of(after)),
        "versions": range(latest, 0, -1),
    }
    return visit.public_page("clubs/rules_compare.html", context)


@require_GET
@at_club
def rules_as_json(visit: Visit) -> HttpResponseBase:
    """The rules as a file, of the version `version` or the present one."""
    asked = visit.request.GET.get("version", "")
    row = _version(visit, asked) if asked else common.current_rules(visit.club)
    response = HttpResponse(to_json(common.rules_of(row)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{visit.club.slug}-rules-{row.version}.json"'
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe_or_post
@at_club
def edit_rules(visit: Visit) -> HttpResponseBase:
    """Write a new version; `file` fills the form from a file, `show` changes the game without saving."""
    visit.check(Act.HOUSE_RULES)
    latest = common.current_rules(visit.club)
    present = common.rules_of(latest)
    post = visit.request.POST
    if visit.request.method != "POST":
        return _form(visit, RulesForm(present), latest.version)
    if "bring" in post:
        return _brought(visit, present, latest.version)
    form = RulesForm(present, post)
    expected = whole_number(post.get("version", ""), 8) or 0
    if "show" in post:  # another game: its options, and everything else as it was typed
        form.show_only()
        return _form(visit, form, expected)
    if not form.is_valid():
        return _form(visit, form, expected, status=422)
    try:
        made = common.publish_rules(
            visit.club,
            visit.member(),
            form.rules,
            form.cleaned_data["note"],
            expected=expected,
            request_id=visit.request_id,
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal.message))
        # Saved again, it is compared with what is there now: they were told to look.
        return _form(visit, form, common.current_rules(visit.club).version, status=refusal.status)
    told = _(
        "From now on, version %(number)d of the house rules is valid. Tournaments keep the version they began with."
    )
    return visit.done(visit.url("rules"), told % {"number": made.version})


def _brought(visit: Visit, present: HouseRules, version: int) -> HttpResponse:
    """The form, filled from a file; nothing is saved yet."""
    sent = RulesFileForm(visit.request.POST, visit.request.FILES)
    if not sent.is_valid():
        return _form(visit, RulesForm(present), version, sent=sent, status=422)
    file = sent.cleaned_data["file"]
    try:
        if (file.size or 0) > common.MOST_BYTES:
            raise BadFile(_("This file is too large for house rules."))
        rules = from_json(file.read().decode("utf-8-sig"))
        common.check_game(rules)
    except DomainError as refused:
        at = f"{refused.field}: " if refused.field else ""
        sent.add_error("file", at + club_text.standings_refusal(refused))
    except UnicodeDecodeError:
        sent.add_error("file", club_text.standings_refusal(DomainError("not-json", "")))
    except BadFile as refusal:
        sent.add_error("file", str(refusal.message))
    else:
        messages.info(visit.request, _("The form shows what the file says. Look it over, then save."))
        return _form(visit, RulesForm(rules), version)
    return _form(visit, RulesForm(present), version, sent=sent, status=422)


def _form(
    visit: Visit, form: RulesForm, version: int, *, sent: RulesFileForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "titles": club_text.part_titles(),
        "version": version,
        "sent": sent or RulesFileForm(),
    }
    return visit.page("clubs/rules_edit.html", context, status=status)
