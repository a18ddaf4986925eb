"""Entries over HTTP: who has entered, entering from the club's list, one entrant, who is kept apart."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from clubs import naming
from clubs.exceptions import ClubError
from clubs.models import Member
from clubs.services import members as club_members
from clubs.services.members import Sought, clean_name
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post
from core.limits import take
from core.text import fold
from domain.tournament.payload import Plain
from domain.tournament.registering import next_round
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, PAIR, WITHDRAWN, Entrant
from tournaments.exceptions import AskFirst, EntryError
from tournaments.models import Tournament
from tournaments.online import services as online_services
from tournaments.registration import selectors, services
from tournaments.registration.forms import CategoryForm, EntrantForm
from tournaments.selectors import state_of
from tournaments.services.log import Doing, act, repeated
from tournaments.views import Visit, at_tournament, done, tournament_page

PER_PAGE: Final = 50


def _act(visit: Visit, doings: list[Doing]) -> None:
    act(visit.asked.tournament.pk, doings, by=visit.asked.director, request_id=visit.sent)


# the list


@require_GET
@at_tournament
def entries(visit: Visit) -> HttpResponseBase:
    visit.check_runs()
    return _entries(visit)


def _entries(visit: Visit, refusal: str = "", *, form: CategoryForm | None = None, status: int = 200) -> HttpResponse:
    asked = visit.asked
    state = asked.state
    names = selectors.names_of(asked.tournament, state)
    everybody = selectors.entrant_rows(state, names)
    query, show = visit.request.GET.get("q", "")[:80], visit.request.GET.get("show", "all")
    category = visit.request.GET.get("category", "")
    found = [
        row
        for row in everybody
        if selectors.fits_search(row, query, show) and (not category or category in row.categories)
    ]
    page = page_of(visit.request, found, PER_PAGE)
    count = selectors.count_people(everybody)
    context = {
        "page": page,
        "query": query,
        "show": show,
        "category": category,
        "categories": categories_of(everybody),
        "count": count,
        "all": len(everybody),
        "pairs": state.plan.kind == PAIR,
        "category_form": form or CategoryForm(),
        "refusal": refusal,
        "open": not state.closed and asked.tournament.status != Tournament.Status.CANCELLED,
        "shows": [("all", _("all")), ("expected", _("not here yet")), ("here", _("here")), ("away", _("gone"))]
        + ([("partner", _("needs a partner"))] if state.plan.kind == PAIR else []),
    }
    return tournament_page(visit, "tournaments/registration/entries.html", context, status=status)


def categories_of(rows: list[selectors.EntrantRow]) -> list[tuple[str, int]]:
    """The categories somebody is in, and how many."""
    found: dict[str, int] = {}
    for row in rows:
        for name in row.categories:
            found[name] = found.get(name, 0) + 1
    return sorted(found.items(), key=lambda each: fold(each[0]))


@require_safe_or_post
@at_tournament
def add(visit: Visit) -> HttpResponseBase:
    """Enter people from the club's list: as many as are ticked, or two as a pair."""
    visit.check_runs()
    asked = visit.asked
    chosen = [each for each in visit.request.POST.getlist("who") if each]
    refusal, status = "", 200
    if visit.request.method == "POST" and visit.request.POST.get("do") in ("enter", "pair"):
        try:
            return _add(visit, chosen, pair=visit.request.POST.get("do") == "pair")
        except Refusal as why:
            refusal, status = str(why.message), why.status
    data = visit.request.POST if visit.request.method == "POST" else visit.request.GET
    query, group, who = data.get("q", "")[:80], data.get("group", "")[:60], data.get("kind", "members")
    rows = club_members.members_list(asked.tournament.club, Sought(name=query, who=who, group=group))
    rows = rows.exclude(public_id__in=services.entered(asked.state))
    picked = [] if not chosen else list(
        Member.objects.filter(club=asked.tournament.club, public_id__in=chosen).order_by("sort_key")
    )  # fmt: skip
    # Who was ticked stays ticked while one looks for others.
    page = Paginator(rows.exclude(public_id__in=chosen), PER_PAGE).get_page(data.get("page", "1"))
    context = {
        "page": page,
        "people": [(each, naming.full_name(each)) for each in page.object_list],
        "picked": [(each, naming.full_name(each)) for each in picked],
        "query": query,
        "group": group,
        "kind": who,
        "groups": club_members.groups_of(asked.tournament.club),
        "pairs": asked.state.plan.kind == PAIR,
        "refusal": refusal,
        "tab": "entries",
    }
    return tournament_page(visit, "tournaments/registration/add.html", context, status=status)


def _add(visit: Visit, chosen: list[str], *, pair: bool) -> HttpResponseBase:
    tournament = visit.asked.tournament
    found = services.of_list(tournament.club, chosen)
    if pair:
        if len(found) != 2:
            raise EntryError("two-needed")
        services.enter_pair(tournament, found, by=visit.asked.director, request_id=visit.sent)
        messages.success(visit.request, _("The pair has entered."))
    else:
        services.enter(tournament, found, by=visit.asked.director, request_id=visit.sent)
        told = ngettext("%(number)d person has entered.", "%(number)d persons have entered.", len(found))
        messages.success(visit.request, told % {"number": len(found)})
    return done(visit.url("add") if pair else visit.url("entries"))


@require_POST
@at_tournament
def categorise(visit: Visit) -> HttpResponseBase:
    """Put everybody of certain birth years into a category, or take a category away from everybody."""
    visit.check_runs()
    asked = visit.asked
    form = CategoryForm(visit.request.POST)
    if not form.is_valid():
        return _entries(visit, form=form, status=422)
    name = form.cleaned_data["category"]
    doings: list[Doing] = []
    years = dict(
        Member.objects.filter(participations__tournament=asked.tournament).values_list("public_id", "birth_year")
    )
    for entrant in asked.state.entrants.values():
        if entrant.status in (WITHDRAWN, MERGED):
            continue
        fits = form.fits([years.get(person) for person in entrant.members])
        if visit.request.POST.get("do") == "clear":
            wanted = tuple(each for each in entrant.categories if each != name)
        elif fits and name not in entrant.categories:
            wanted = (*entrant.categories, name)
        else:
            continue
        if wanted != entrant.categories:
            doings.append(("entrant.changed", {"id": entrant.id, "categories": list(wanted)}))
    if not doings:
        form.add_error(None, _("Nobody changes by that. Are the years of birth in the club’s list?"))
        return _entries(visit, form=form, status=422)
    _act(visit, doings)
    told = ngettext("%(number)d entry is changed.", "%(number)d entries are changed.", len(doings))
    messages.success(visit.request, told % {"number": len(doings)})
    return done(visit.url("entries"))


# one entrant


@require_safe_or_post
@at_tournament
def entrant(visit: Visit, who: str) -> HttpResponseBase:
    """One entrant: fee, category, seed; a substitute; not coming; parting a pair."""
    visit.check_runs()
    state = visit.asked.state
    found = state.entrants.get(who)
    if found is None or found.status == MERGED:
        raise Http404
    form = EntrantForm(entrant=found)
    refusal, status = "", 200
    if visit.request.method == "POST":
        try:
            said = _entrant_do(visit, found)
            if isinstance(said, EntrantForm):
                form, status = said, 422
            else:
                messages.success(visit.request, said)
                return done(visit.url("entry", who))
        except AskFirst as ask:
            return _ask(visit, found, ask)
        except Refusal as why:
            refusal, status = str(why.message), why.status
        except ValidationError as wrong:
            refusal, status = " ".join(wrong.messages), 422
    return _entrant(visit, found, form, refusal, status)


def _entrant(visit: Visit, found: Entrant, form: EntrantForm, refusal: str, status: int) -> HttpResponse:
    asked = visit.asked
    names = selectors.names_of(asked.tournament, asked.state)
    row = next(row for row in selectors.entrant_rows(asked.state, names) if row.id == found.id)
    query = visit.request.POST.get("q") or visit.request.GET.get("q", "")
    phase, number = next_round(asked.state)
    playing = found.people(phase, number)
    candidates = []
    if len(query.strip()) > 1:
        candidates = [
            (each.public_id, naming.full_name(each))
            for each in services.candidates(asked.tournament.club, asked.state, query)[:12]
        ]
    context = {
        "row": row,
        "entrant": found,
        "form": form,
        "refusal": refusal,
        "playing": [(person, names.person(person)) for person in playing],
        "candidates": candidates,
        "query": query,
        "tab": "entries",
        "can_play": found.status in (HERE, EXPECTED),
        "can_withdraw": found.status in (HERE, EXPECTED) and not row.played,
        "can_leave": found.status == HERE and row.played,
        "can_return": found.status in (GONE, WITHDRAWN),
        "can_part": row.made and not row.played,
    }
    return tournament_page(visit, "tournaments/registration/entrant.html", context, status=status)


def _entrant_do(visit: Visit, found: Entrant) -> str | EntrantForm:
    data = visit.request.POST
    do = data.get("do", "")
    sure = bool(data.get("sure"))
    if do == "change":
        form = EntrantForm(data, entrant=found)
        if not form.is_valid():
            return form
        fields: dict[str, Plain] = {"id": found.id, **form.changes()}
        _act(visit, [("entrant.changed", fields)])
        return _("Saved.")
    simple = {
        "withdraw": ("entrant.withdrawn", _("They do not come.")),
        "leave": ("entrant.left", _("They have left; what they have played stays.")),
        "return": ("entrant.arrived", _("They are here.")),
        "part": ("pair.parted", _("Two single persons again.")),
    }
    if do in simple:
        kind, said = simple[do]
        if do in ("withdraw", "leave") and not sure:
            question = (
                _("Really not coming? A fee that was paid is to be given back then.")
                if do == "withdraw"
                else _("Do they go home? Results so far stay.")
            )
            raise AskFirst(do, question, _("Does not come") if do == "withdraw" else _("Goes home"))
        _act(visit, [(kind, {"id": found.id})])
        return said
    if do.startswith("substitute:"):
        _act(
            visit,
            [("entrant.substituted", {"id": found.id, "old": data.get("old", ""), "new": do.partition(":")[2]})],
        )
        return _("The substitute sits there now.")
    if do == "substitute-new":
        services.substitute_guest(
            visit.asked.tournament,
            found.id,
            data.get("old", ""),
            clean_name(data.get("first_name", "")),
            clean_name(data.get("last_name", "")),
            by=visit.asked.director,
            request_id=visit.sent,
        )
        return _("The substitute sits there now.")
    raise EntryError("nobody-chosen")


def _ask(visit: Visit, found: Entrant, ask: AskFirst) -> HttpResponse:
    back = visit.url("entry", found.id)
    context = {
        "title": str(ask.message),
        "lost": [],
        "button": ask.button,
        "back": back,
        "action": back,
        "hidden": {"do": ask.do, "sure": "1"},
        "tab": "entries",
    }
    return tournament_page(visit, "tournaments/registration/confirm.html", context)


# kept apart


@require_safe_or_post
@at_tournament
def apart(visit: Visit) -> HttpResponseBase:
    """Who is kept apart: pairs named here, and families and sub-clubs of the list, as marks that name nobody."""
    visit.check_runs()
    asked = visit.asked
    state = asked.state
    refusal, status = "", 200
    if visit.request.method == "POST":
        try:
            if visit.request.POST.get("do") == "families":
                return _families(visit)
            return _apart(visit)
        except Refusal as why:
            refusal, status = str(why.message), why.status
    names = selectors.names_of(asked.tournament, state)
    rows = [row for row in selectors.entrant_rows(state, names) if row.status in (HERE, EXPECTED)]
    marks: dict[str, list[str]] = {}
    for row in rows:
        for mark in row.entrant.groups:
            marks.setdefault(mark, []).append(row.name)
    called = _called(asked.tournament)
    context = {
        "rows": rows,
        "pairs": [
            (one, two, names.entrant(state.entrants[one]), names.entrant(state.entrants[two]))
            for one, two in state.apart
        ],
        "families": sorted(
            ((called.get(mark, _("no longer in the list")), found) for mark, found in marks.items() if len(found) > 1),
            key=lambda each: fold(each[0]),
        ),
        "refusal": refusal,
        "tab": "entries",
    }
    return tournament_page(visit, "tournaments/registration/apart.html", context, status=status)


def _called(tournament: Tournament) -> dict[str, str]:
    """Mark -> the name of the family or sub-club, for who keeps the list."""
    found = {}
    for group in club_members.groups_of(tournament.club):
        probe = Member(groups=[group])
        found[services.marks(tournament, [probe])[0]] = group
    return found


def _apart(visit: Visit) -> HttpResponseBase:
    """One pair more, or less. Takes the lock on the tournament's row: what is set replaces the whole list."""
    data = visit.request.POST
    removes = data.get("do", "").startswith("remove:")
    one, two = [*data["do"].split(":"), "", ""][1:3] if removes else sorted((data.get("one", ""), data.get("two", "")))
    if not removes and (not one or not two or one == two):
        raise EntryError("two-needed")
    by, same = visit.asked.director, f"apart|{removes}|{one}|{two}"
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=visit.asked.tournament.pk)
        if repeated(row, visit.sent, same, by) is None:
            state = state_of(row)
            pairs = {*state.apart} - {(one, two)} if removes else {*state.apart, (one, two)}
            # Who has become half of a pair since is in no list any more.
            known = {each.id for each in state.entrants.values() if each.status != MERGED}
            wanted: list[Plain] = [[a, b] for a, b in sorted(pairs) if {a, b} <= known]
            act(row.pk, [("apart.set", {"pairs": wanted})], by=by, request_id=visit.sent, same=same)
    messages.success(visit.request, _("Saved."))
    return done(visit.url("apart"))


def _families(visit: Visit) -> HttpResponseBase:
    """Take the groups over from the club's list anew, for everybody who has entered."""
    asked = visit.asked
    rows = {
        each.public_id: each
        for each in Member.objects.filter(participations__tournament=asked.tournament).only("public_id", "groups")
    }
    doings: list[Doing] = []
    for found in asked.state.entrants.values():
        if found.status in (WITHDRAWN, MERGED):
            continue
        wanted = services.marks(asked.tournament, [rows[person] for person in found.members if person in rows])
        if tuple(wanted) != found.groups:
            doings.append(("entrant.changed", {"id": found.id, "groups": list(wanted)}))
    if doings:
        _act(visit, doings)
    told = ngettext("%(number)d entry is changed.", "%(number)d entries are changed.", len(doings))
    messages.success(visit.request, told % {"number": len(doings)})
    return done(visit.url("apart"))


# invitations to a tournament that is played online


MOST_INVITED: Final = 100
"""So many names at once; who is looked for by letters is found among all."""


@require_safe_or_post
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
    rows = services.candidates(asked.tournament.club, asked.state, find).filter(player__isnull=False)
    context = {
        "find": find,
        "people": [(each.public_id, naming.full_name(each)) for each in rows[:MOST_INVITED]],
        "chosen": visit.request.POST.getlist("who"),
        "may": online_services.can_invite(asked.tournament),
        "refusal": refusal,
        "tab": "entries",
    }
    return tournament_page(visit, "tournaments/online/invite.html", context, status=status)


def _invited(visit: Visit) -> int:
    asked = visit.asked
    assert asked.player is not None
    if not take(f"invite:{asked.player.pk}", rate=30, per=3600, burst=10):
        raise ClubError("too-often")
    if visit.data.get("do") == "all":
        return online_services.invite_members(asked.tournament, asked.player)
    chosen = visit.request.POST.getlist("who")[:MOST_INVITED]
    rows = services.candidates(asked.tournament.club, asked.state).filter(public_id__in=chosen, player__isnull=False)
    players = [each.player for each in rows.select_related("player__merged_into") if each.player is not None]
    return online_services.invite(asked.tournament, players, asked.player, request_id=visit.sent)
