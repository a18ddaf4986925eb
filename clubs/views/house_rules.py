"""House rules over HTTP: reading and printing them, their versions, writing another, as a file out and in."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from clubs.exceptions import BadFile
from clubs.forms.house_rules import RulesFileForm, RulesForm
from clubs.models import HouseRulesVersion
from clubs.permissions import Act
from clubs.services import house_rules
from clubs.text import house_rules as rules_words
from clubs.text import standings
from clubs.views.base import Visit, at_club, done, request_id, shown
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, whole_number
from domain.errors import DomainError
from domain.standings.profile import HouseRules, from_json, to_json

VERSIONS_SHOWN = 20


def _version(visit: Visit, text: str) -> HouseRulesVersion:
    return house_rules.version(visit.club, whole_number(text, 8) or 0)


@require_GET
@at_club
def read(visit: Visit, number: int | None = None) -> HttpResponseBase:
    """The rules in force, or those of a version: as they are read and printed."""
    latest = house_rules.current(visit.club)
    row = latest if number is None else house_rules.version(visit.club, number)
    rows = HouseRulesVersion.objects.filter(club=visit.club).order_by("-version")
    context = {
        "row": row,
        "latest": latest.version,
        "rules": house_rules.rules_of(row),
        "parts": rules_words.parts(house_rules.rules_of(row)),
        "versions": page_of(visit.request, rows, VERSIONS_SHOWN),
    }
    return shown(visit, "clubs/rules.html", context, public=True)


@require_GET
@at_club
def compare(visit: Visit) -> HttpResponseBase:
    """What one version says otherwise than another (`from`, `to`: numbers; by default the last two)."""
    latest = house_rules.current(visit.club).version
    after = _version(visit, visit.request.GET.get("to", str(latest)))
    before = _version(visit, visit.request.GET.get("from", str(max(1, after.version - 1))))
    context = {
        "before": before,
        "after": after,
        "differences": rules_words.differences(house_rules.rules_of(before), house_rules.rules_of(after)),
        "versions": range(latest, 0, -1),
    }
    return shown(visit, "clubs/rules_compare.html", context, public=True)


@require_GET
@at_club
def as_json(visit: Visit) -> HttpResponseBase:
    """The rules as a file, of the version `version` or the present one."""
    asked = visit.request.GET.get("version", "")
    row = _version(visit, asked) if asked else house_rules.current(visit.club)
    response = HttpResponse(to_json(house_rules.rules_of(row)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{visit.club.slug}-rules-{row.version}.json"'
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe_or_post
@at_club
def edit(visit: Visit) -> HttpResponseBase:
    """Write a new version; `file` fills the form from a file, `show` changes the game without saving."""
    visit.check(Act.HOUSE_RULES)
    latest = house_rules.current(visit.club)
    present = house_rules.rules_of(latest)
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
        made = house_rules.publish(
            visit.club,
            visit.member(),
            form.rules,
            form.cleaned_data["note"],
            expected=expected,
            request_id=request_id(post),
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal.message))
        # Saved again, it is compared with what is there now: they were told to look.
        return _form(visit, form, house_rules.current(visit.club).version, status=refusal.status)
    told = _("Version %(number)d of the house rules holds from now on. Tournaments keep the version they began with.")
    messages.success(visit.request, told % {"number": made.version})
    return done(visit.url("rules"))


def _brought(visit: Visit, present: HouseRules, version: int) -> HttpResponse:
    """The form, filled from a file; nothing is saved yet."""
    sent = RulesFileForm(visit.request.POST, visit.request.FILES)
    if not sent.is_valid():
        return _form(visit, RulesForm(present), version, sent=sent, status=422)
    file = sent.cleaned_data["file"]
    try:
        if (file.size or 0) > house_rules.MOST_BYTES:
            raise BadFile(_("This file is too large for house rules."))
        rules = from_json(file.read().decode("utf-8-sig"))
        house_rules.check_game(rules)
    except DomainError as refused:
        at = f"{refused.field}: " if refused.field else ""
        sent.add_error("file", at + standings.refusal(refused))
    except UnicodeDecodeError:
        sent.add_error("file", standings.refusal(DomainError("not-json", "")))
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
        "titles": rules_words.part_titles(),
        "version": version,
        "sent": sent or RulesFileForm(),
        "request_id": uuid.uuid4(),
    }
    return shown(visit, "clubs/rules_edit.html", context, status=status)
