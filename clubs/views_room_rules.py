"""House rules over HTTP: reading and printing them, their versions, writing another, as a file out and in."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from clubs import words
from clubs.room import house_rules, rules_words
from clubs.room.refusals import BadFile, NoSuchEntry
from clubs.room.rights import Act
from clubs.room.rules_form import RulesFileForm, RulesForm
from clubs.room_models import HouseRulesVersion
from clubs.standings.profile import HouseRules, from_json, to_json
from clubs.standings.refused import StandingsRefused
from clubs.views_room_kit import Visit, at_club, done, request_id, shown
from games.refusals import Refusal

VERSIONS_SHOWN = 20


def _version(visit: Visit, text: str) -> HouseRulesVersion:
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise NoSuchEntry
    return house_rules.version(visit.club, int(text))


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
        "versions": Paginator(rows, VERSIONS_SHOWN).get_page(visit.request.GET.get("page", "1")),
    }
    return shown(visit, "clubs/room/rules.html", context, public=True)


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
    return shown(visit, "clubs/room/rules_compare.html", context, public=True)


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


@require_http_methods(["GET", "HEAD", "POST"])
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
    seen = post.get("version", "")
    expected = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 9 else 0
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
    except StandingsRefused as refused:
        at = f"{refused.field}: " if refused.field else ""
        sent.add_error("file", at + words.refusal(refused))
    except UnicodeDecodeError:
        sent.add_error("file", words.refusal(StandingsRefused("not-json", "")))
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
    return shown(visit, "clubs/room/rules_edit.html", context, status=status)
