"""The pages of clubs: their list, founding and closing a club, its home page, its house rules, and one’s own entry."""

from __future__ import annotations

import uuid
from typing import Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts import permissions as account_permissions
from accounts import security
from accounts.middleware import PlayerRequest
from clubs import naming, selectors, text
from clubs import text as club_text
from clubs.exceptions import BadFile, ClubError
from clubs.forms.club import ClubForm, PersonForm, SearchForm, span
from clubs.forms.house_rules import RulesFileForm, RulesForm
from clubs.models import Club, HouseRulesVersion, Member
from clubs.permissions import Act
from clubs.services import calendar, common, letters, members, seasons
from clubs.text import prose
from clubs.views.base import Visit, at_club, confirm_page
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, unlisted, whole_number
from core.limits import take
from domain.errors import DomainError
from domain.standings.profile import HouseRules, from_json, to_json
from games import forms as game_forms
from games.lobby.selectors import open_tables

PER_PAGE: Final = 20
_FEW: Final = 3
"""How many dates, news and seasons the club's home page shows."""


@require_GET
def club_list(request: PlayerRequest) -> HttpResponseBase:
    """All clubs, searchable by name and canton; the visitor's own clubs are listed first."""
    form = SearchForm(request.GET)
    form.is_valid()
    name, canton = form.cleaned_data.get("q", ""), form.cleaned_data.get("canton", "")
    context = {
        "search": form,
        "searching": bool(name or canton),
        "page": page_of(request, selectors.clubs_named(name, canton), PER_PAGE),
        "own": selectors.entries_of(request.visit.player),
        "player": request.visit.player,
    }
    return unlisted(render(request, "clubs/list.html", context))


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
        if all([form.is_valid(), person.is_valid()]):  # both show their errors
            try:
                if not take(f"found-club:{player.pk}", rate=5, per=86400, burst=5):
                    raise ClubError("too-often")
                request_id = game_forms.read_request_id(request.POST)
                club = common.create_club(player, form.instance, person.person(), request_id=request_id)
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
    club, player, standing = visit.club, visit.player, visit.standing
    rules = common.rules_of(common.current_rules(club))
    belongs = standing.member is not None and standing.member.kind == Member.Kind.MEMBER
    tables = open_tables.rows(open_tables.tables_of_club(club.slug, player), player) if belongs else []
    context = {
        "about": prose(club.about),
        "staff": [
            (member.get_role_display(), naming.shown_name(member, standing.audience))
            for member in selectors.staff_of(club)
        ],
        "coming": calendar.upcoming(calendar.entries(club))[:_FEW],
        "news": [(each, prose(each.text, below=3)) for each in calendar.all_news(club)[:_FEW]],
        "people": selectors.member_count(club),
        "seasons": seasons.all_seasons(club)[:_FEW],
        "game": text.game_name(rules.ruleset),
        "keeps": span(club.keeps_months),
        "asking": selectors.has_open_request(club, player),
        "belongs": belongs,
        "offers_passkey": player is not None
        and (standing.rests or standing.may(Act.EDIT))
        and not account_permissions.has_second_factor(player),
        "tables": tables,
        "takes_requests": club.joining == Club.Joining.REQUEST,
    }
    return visit.public_page("clubs/home.html", context)


@require_safe_or_post
@at_club
def edit(visit: Visit) -> HttpResponseBase:
    """Change what the club says about itself, and how it deals with names."""
    visit.check(Act.EDIT)
    form = ClubForm(visit.sent, instance=visit.club)

    def save() -> HttpResponseRedirect:
        club = common.edit(visit.club, visit.member(), form.instance, request_id=visit.request_id)
        message = _("The club is founded.") if visit.club.provisional else _("Saved.")
        return visit.done(reverse("club:home", args=[club.slug]), message)

    return visit.form_page("clubs/edit.html", form, save)


@require_safe_or_post
@at_club
def close(visit: Visit) -> HttpResponseBase:
    """Ask for confirmation, then close the club for good.

    A moderator from outside the club has to sign in again first.
    """
    visit.check(Act.CLOSE)
    if visit.standing.member is None:
        response: HttpResponseBase = reauthentication_required(lambda _request: _close_for_good(visit))(visit.request)
        return response
    return _close_for_good(visit)


def _close_for_good(visit: Visit) -> HttpResponseBase:
    if visit.request.method == "POST":
        name = visit.club.name
        stays = common.close(visit.club, visit.member(), request_id=visit.request_id)
        security.note("club closed", visit.request, visit.member(), club=visit.club.slug)
        message = (
            _("%(club)s is closed. Results of its evenings stay, with initials.") if stays else _("%(club)s is closed.")
        )
        return visit.done(reverse("clubs:list"), message % {"club": name})
    title = _("Close %(club)s for good?") % {"club": visit.club.name}
    lost = club_text.lost_by_closing(visit.club)
    return confirm_page(visit, title=title, lost=lost, button=_("Close the club"), back=visit.url("home"))


# one's own entry


def _entry(visit: Visit) -> Member:
    """The visitor's own entry, even if they have left. Raises ``account-needed``, ``no-such-member``."""
    return common.first_of(
        Member.objects.select_related("club", "consent_by").filter(club=visit.club, player=visit.member()),
        "no-such-member",
    )


@require_GET
@at_club
def me(visit: Visit) -> HttpResponseBase:
    """What the club has written down about the visitor, and what the visitor decides themselves."""
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
    """Note whether the visitor may be named in public."""
    named = visit.request.POST.get("named") == "yes"
    members.consent(visit.club, visit.member(), named=named, request_id=visit.request_id)
    message = (
        _("You are named on public pages from now on.") if named else _("Public pages show your initials from now on.")
    )
    return visit.done(visit.url("me"), message)


@require_safe_or_post
@at_club
def leave(visit: Visit) -> HttpResponseBase:
    if visit.request.method == "POST":
        members.leave(visit.club, visit.member(), request_id=visit.request_id)
        return visit.done(visit.url("home"), _("You have left the club."))
    entry = _entry(visit)
    if entry.left_on is not None:
        raise ClubError("no-such-member")
    members.check_not_last_president(visit.club, entry)
    lost = [_("You are no longer a member, and you lose your role if you have one.")]
    kept = _("The list of former members keeps your entry for %(time)s; after that only your initials remain.")
    lost.append(kept % {"time": span(visit.club.keeps_months)})
    title = _("Leave %(club)s?") % {"club": visit.club.name}
    return confirm_page(visit, title=title, lost=lost, button=_("Leave the club"), back=visit.url("me"))


VERSIONS_SHOWN = 20


def _version(visit: Visit, text: str) -> HouseRulesVersion:
    return common.rules_version(visit.club, whole_number(text, 8) or 0)


@require_GET
@at_club
def rules(visit: Visit, number: int | None = None) -> HttpResponseBase:
    """The rules in force, or those of a version, for reading and printing."""
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
    """The differences between two versions (`from` and `to`: their numbers; by default the last two)."""
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
    """The rules in force as a file, or those of version `version`."""
    number = visit.request.GET.get("version", "")
    row = _version(visit, number) if number else common.current_rules(visit.club)
    response = HttpResponse(to_json(common.rules_of(row)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{visit.club.slug}-rules-{row.version}.json"'
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe_or_post
@at_club
def edit_rules(visit: Visit) -> HttpResponseBase:
    """Write a new version. `bring` fills the form from a file, `show` changes the game without saving."""
    visit.check(Act.HOUSE_RULES)
    latest = common.current_rules(visit.club)
    present = common.rules_of(latest)
    post = visit.request.POST
    if visit.request.method != "POST":
        return _form(visit, RulesForm(present), latest.version)
    if "bring" in post:
        return _filled_from_file(visit, present, latest.version)
    form = RulesForm(present, post)
    expected = whole_number(post.get("version", ""), 8) or 0
    if "show" in post:  # another game: show its options, and everything else as it was typed
        form.show_only()
        return _form(visit, form, expected)
    if not form.is_valid():
        return _form(visit, form, expected, status=422)
    try:
        published = common.publish_rules(
            visit.club,
            visit.member(),
            form.rules,
            form.cleaned_data["note"],
            expected=expected,
            request_id=visit.request_id,
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal.message))
        # The refusal tells them to look at the present version; the next save is checked against that one.
        return _form(visit, form, common.current_rules(visit.club).version, status=refusal.status)
    message = _(
        "From now on, version %(number)d of the house rules is valid. Tournaments keep the version they began with."
    )
    return visit.done(visit.url("rules"), message % {"number": published.version})


def _filled_from_file(visit: Visit, present: HouseRules, version: int) -> HttpResponse:
    """The form filled from a file; nothing is saved yet."""
    file_form = RulesFileForm(visit.request.POST, visit.request.FILES)
    if not file_form.is_valid():
        return _form(visit, RulesForm(present), version, file_form=file_form, status=422)
    file = file_form.cleaned_data["file"]
    try:
        if (file.size or 0) > common.MOST_BYTES:
            raise BadFile(_("This file is too large for house rules."))
        rules = from_json(file.read().decode("utf-8-sig"))
        common.check_game(rules)
    except DomainError as error:
        at = f"{error.field}: " if error.field else ""
        file_form.add_error("file", at + club_text.standings_refusal(error))
    except UnicodeDecodeError:
        file_form.add_error("file", club_text.standings_refusal(DomainError("not-json", "")))
    except BadFile as refusal:
        file_form.add_error("file", str(refusal.message))
    else:
        messages.info(visit.request, _("The form shows what the file says. Look it over, then save."))
        return _form(visit, RulesForm(rules), version)
    return _form(visit, RulesForm(present), version, file_form=file_form, status=422)


def _form(
    visit: Visit, form: RulesForm, version: int, *, file_form: RulesFileForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "titles": club_text.part_titles(),
        "version": version,
        "sent": file_form or RulesFileForm(),
    }
    return visit.page("clubs/rules_edit.html", context, status=status)
