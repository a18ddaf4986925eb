"""The pages of entries: entering people from the club's list or from pasted lines, one entrant, categories, who is kept
apart, and invitations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs import naming
from clubs.exceptions import BadFile
from clubs.models import Member
from clubs.services import members as club_members
from clubs.services.members import MemberSearch, clean_name
from clubs.spreadsheets import MOST_BYTES
from core.http import require_safe_or_post, search_text
from core.text import fold
from domain.tournament.payload import Plain
from domain.tournament.registering import next_round
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, PAIR, WITHDRAWN, Entrant, State
from tournaments.exceptions import AskFirst, EntryError
from tournaments.models import Tournament
from tournaments.online import services as online_services
from tournaments.registration import pasting, selectors, services
from tournaments.registration.entrance import TAPS, apply_tap
from tournaments.registration.forms import CategoryForm, EntrantForm
from tournaments.registration.pasting import Paste
from tournaments.services.log import NewEvent, act
from tournaments.views import Visit, director_only

PER_PAGE: Final = 50


@require_safe_or_post
@director_only
def add(visit: Visit) -> HttpResponseBase:
    """Enter the ticked people from the club's list, each alone, or two as a pair."""
    return visit.act_or_page(lambda: _add(visit), "tournaments/registration/add.html", lambda: _to_add(visit))


def _chosen(visit: Visit) -> list[str]:
    return [each for each in visit.request.POST.getlist("who") if each]


def _sought(data: Mapping[str, str]) -> MemberSearch:
    return MemberSearch(name=data.get("q", "")[:80], who=data.get("kind", "members"), group=data.get("group", "")[:60])


def _not_entered(visit: Visit, sought: MemberSearch) -> QuerySet[Member]:
    return club_members.members_list(visit.club, sought).exclude(public_id__in=services.entered(visit.state))


def _to_add(visit: Visit) -> Mapping[str, Any]:
    chosen = _chosen(visit)
    data = visit.request.POST if visit.request.method == "POST" else visit.request.GET
    sought = _sought(data)
    rows = _not_entered(visit, sought)
    picked = [] if not chosen else list(
        Member.objects.filter(club=visit.club, public_id__in=chosen).order_by("sort_key")
    )  # fmt: skip
    # People who were ticked stay ticked while one searches for others.
    page = Paginator(rows.exclude(public_id__in=chosen), PER_PAGE).get_page(data.get("page", "1"))
    return {
        "page": page,
        "people": [(each, naming.full_name(each)) for each in page.object_list],
        "picked": [(each, naming.full_name(each)) for each in picked],
        "query": sought.name,
        "group": sought.group,
        "kind": sought.who,
        "groups": club_members.groups_of(visit.club),
        "pairs": visit.state.plan.kind == PAIR,
    }


def _add(visit: Visit) -> HttpResponseBase | None:
    do = visit.request.POST.get("do")
    if do not in ("enter", "pair"):
        return None
    chosen = _chosen(visit)
    if do == "enter" and visit.request.POST.get("everybody") == "yes":
        everybody = _not_entered(visit, _sought(visit.request.POST)).values_list("public_id", flat=True)
        chosen = list(dict.fromkeys([*chosen, *everybody]))
    members = services.of_list(visit.club, chosen)
    if do == "pair":
        if len(members) != 2:
            raise EntryError("two-needed")
        services.enter_pair(visit.tournament, members, by=visit.director, request_id=visit.request_id)
        return visit.done(visit.url("add"), _("The pair has entered."))
    services.enter(visit.tournament, members, by=visit.director, request_id=visit.request_id)
    message = ngettext("%(number)d person has entered.", "%(number)d people have entered.", len(members))
    return visit.done(visit.url("people"), message % {"number": len(members)})


def categorise(visit: Visit, data: Mapping[str, str]) -> str:
    """Put everybody born in certain years into a category, or remove a category from everybody. Returns a message.

    Raises ValidationError.
    """
    form = CategoryForm(data)
    if not form.is_valid():
        raise ValidationError([message for messages in form.errors.values() for message in messages])
    name = form.cleaned_data["category"]
    doings: list[NewEvent] = []
    years = dict(
        Member.objects.filter(participations__tournament=visit.tournament).values_list("public_id", "birth_year")
    )
    for entrant in visit.state.entrants.values():
        if entrant.status in (WITHDRAWN, MERGED):
            continue
        fits = form.fits([years.get(person) for person in entrant.members])
        if data["do"] == "clear-category":
            categories = tuple(each for each in entrant.categories if each != name)
        elif fits and name not in entrant.categories:
            categories = (*entrant.categories, name)
        else:
            continue
        if categories != entrant.categories:
            doings.append(("entrant.changed", {"id": entrant.id, "categories": list(categories)}))
    if not doings:
        raise ValidationError(_("Nobody changes by that. Are the years of birth in the club’s list?"))
    visit.act_all(doings)
    message = ngettext("%(number)d entry is changed.", "%(number)d entries are changed.", len(doings))
    return message % {"number": len(doings)}


# one entrant


@require_safe_or_post
@director_only
def entrant(visit: Visit, who: str) -> HttpResponseBase:
    """One entrant: fee, categories, seed; naming a substitute; not coming; splitting a pair."""
    state = visit.state
    row = state.entrants.get(who)
    if row is None or row.status == MERGED or row.house:
        raise Http404
    return visit.act_or_page(lambda: _entrant_do(visit, row), _ENTRANT, lambda: _entrant(visit, row))


_ENTRANT: Final = "tournaments/registration/entrant.html"


def _entrant(visit: Visit, entrant: Entrant) -> Mapping[str, Any]:
    names = selectors.names_of(visit.tournament, visit.state)
    row = next(row for row in selectors.entrant_rows(visit.state, names) if row.id == entrant.id)
    query = visit.request.POST.get("q", "")
    phase, number = next_round(visit.state)
    playing = entrant.people(phase, number)
    candidates = []
    if len(query.strip()) > 1:
        candidates = [
            (each.public_id, naming.full_name(each))
            for each in services.candidates(visit.club, visit.state, query)[:12]
        ]
    return {
        "row": row,
        "entrant": entrant,
        "form": EntrantForm(entrant=entrant),
        "playing": [(person, names.person(person)) for person in playing],
        "replaced": [
            (person, names.person(person), old)
            for person, old in zip(entrant.members, playing, strict=True)
            if person not in playing
        ],
        "candidates": candidates,
        "query": query,
        "can_play": entrant.status in (HERE, EXPECTED),
        "can_withdraw": entrant.status in (HERE, EXPECTED) and not row.played,
        "can_leave": entrant.status == HERE and row.played,
        "can_return": entrant.status in (GONE, WITHDRAWN),
        "can_part": row.made and not row.played,
    }


def _entrant_do(visit: Visit, entrant: Entrant) -> HttpResponseBase | None:
    data, page = visit.request.POST, visit.url("entry", entrant.id)
    do = data.get("do", "")
    if do == "look":
        return None  # the page lists who is found, and keeps what was chosen
    if do == "change":
        form = EntrantForm(data, entrant=entrant)
        if not form.is_valid():
            return visit.page(_ENTRANT, {**_entrant(visit, entrant), "form": form}, status=422)
        visit.act("entrant.changed", id=entrant.id, **form.changes())
        return visit.done(page, _("Saved."))
    verb = do.partition(":")[0]
    if verb in TAPS:
        tap, sure = f"{verb}:{entrant.id}", bool(data.get("sure"))
        try:
            message = apply_tap(visit.tournament, tap, data, by=visit.director, request_id=visit.request_id, sure=sure)
        except AskFirst as ask:
            return visit.ask_again(ask, page)
        return visit.done(page, message)
    if do.startswith("substitute:"):
        new = do.partition(":")[2]
        visit.act("entrant.substituted", id=entrant.id, old=data.get("old", ""), new=new)
        if new in entrant.members:
            name = selectors.names_of(visit.tournament, visit.state).person(new)
            return visit.done(page, _("%(name)s plays again.") % {"name": name})
    elif do == "substitute-new":
        services.substitute_guest(
            visit.tournament,
            entrant.id,
            data.get("old", ""),
            clean_name(data.get("first_name", "")),
            clean_name(data.get("last_name", "")),
            by=visit.director,
            request_id=visit.request_id,
        )
    else:
        raise EntryError("nobody-chosen")
    return visit.done(page, _("The substitute sits there now."))


# kept apart


@require_safe_or_post
@director_only
def apart(visit: Visit) -> HttpResponseBase:
    """Who is kept apart: pairs named here, and families and sub-clubs of the club's list (as marks without names)."""
    act = _families if visit.request.POST.get("do") == "families" else _apart
    return visit.act_or_page(lambda: act(visit), "tournaments/registration/apart.html", lambda: _kept_apart(visit))


def _kept_apart(visit: Visit) -> Mapping[str, Any]:
    state = visit.state
    names = selectors.names_of(visit.tournament, state)
    rows = [row for row in selectors.entrant_rows(state, names) if row.status in (HERE, EXPECTED)]
    marks: dict[str, list[str]] = {}
    for row in rows:
        for mark in row.entrant.groups:
            marks.setdefault(mark, []).append(row.name)
    group_names = _group_names(visit.tournament)
    return {
        "rows": rows,
        "pairs": [
            (one, two, names.entrant(state.entrants[one]), names.entrant(state.entrants[two]))
            for one, two in state.apart
        ],
        "families": sorted(
            (
                (str(group_names.get(mark, _("no longer in the list"))), people)
                for mark, people in marks.items()
                if len(people) > 1
            ),
            key=lambda each: fold(each[0]),
        ),
    }


def _group_names(tournament: Tournament) -> dict[str, str]:
    """The names of families and sub-clubs by their marks, for people who manage the club's list."""
    names = {}
    for group in club_members.groups_of(tournament.club):
        probe = Member(groups=[group])
        names[services.marks(tournament, [probe])[0]] = group
    return names


def _apart(visit: Visit) -> HttpResponseBase:
    """Add a pair to keep apart, or remove one. Takes the lock on the tournament's row, because the list is replaced."""
    data = visit.request.POST
    removes = data.get("do", "").startswith("remove:")
    one, two = [*data["do"].split(":"), "", ""][1:3] if removes else sorted((data.get("one", ""), data.get("two", "")))
    if not removes and (not one or not two or one == two):
        raise EntryError("two-needed")
    by, same = visit.director, f"apart|{removes}|{one}|{two}"

    def make(state: State) -> list[NewEvent]:
        pairs = {*state.apart} - {(one, two)} if removes else {*state.apart, (one, two)}
        # Entrants who have become half of a pair since are no longer listed.
        listed = {each.id for each in state.entrants.values() if each.status != MERGED}
        kept: list[Plain] = [[a, b] for a, b in sorted(pairs) if {a, b} <= listed]
        return [("apart.set", {"pairs": kept})]

    act(visit.tournament.pk, make, by=by, request_id=visit.request_id, same=same)
    return visit.done(visit.url("apart"), _("Saved."))


def _families(visit: Visit) -> HttpResponseBase:
    """Update the groups of everybody who has entered from the club's list."""
    rows = {
        each.public_id: each
        for each in Member.objects.filter(participations__tournament=visit.tournament).only("public_id", "groups")
    }
    doings: list[NewEvent] = []
    for entrant in visit.state.entrants.values():
        if entrant.status in (WITHDRAWN, MERGED):
            continue
        marks = services.marks(visit.tournament, [rows[person] for person in entrant.members if person in rows])
        if tuple(marks) != entrant.groups:
            doings.append(("entrant.changed", {"id": entrant.id, "groups": list(marks)}))
    if doings:
        visit.act_all(doings)
    message = ngettext("%(number)d entry is changed.", "%(number)d entries are changed.", len(doings))
    return visit.done(visit.url("apart"), message % {"number": len(doings)})


# invitations to a tournament that is played online


MOST_INVITED: Final = 100
"""How many names are shown at once; a search looks through all of them."""


@require_safe_or_post
@director_only
def invite(visit: Visit) -> HttpResponseBase:
    """Choose people to invite. Each gets one notice with a link; those who have entered or were invited are skipped."""
    return visit.act_or_page(lambda: _invite(visit), "tournaments/online/invite.html", lambda: _to_invite(visit))


def _to_invite(visit: Visit) -> Mapping[str, Any]:
    find = search_text(visit.request)
    rows = services.candidates(visit.club, visit.state, find).exclude(player__in=[visit.player])
    rows = rows.filter(player__isnull=False).select_related("player__merged_into")[:MOST_INVITED]
    invited = set(visit.tournament.invitations.values_list("player", flat=True))
    people: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
    for each in rows:
        people[each.player is not None and each.player.current.pk in invited].append(
            (each.public_id, naming.full_name(each))
        )
    return {
        "find": find,
        "people": people[False],
        "invited": people[True],
        "chosen": visit.request.POST.getlist("who"),
        "may": online_services.can_invite(visit.tournament),
    }


def _invite(visit: Visit) -> HttpResponseBase:
    count = _send_invitations(visit)
    if not count:
        return visit.done(visit.url("invite"), _("Everybody you chose was invited before, or has entered."))
    message = ngettext("%(count)s person was invited.", "%(count)s people were invited.", count)
    return visit.done(visit.url("invite"), message % {"count": count})


def _send_invitations(visit: Visit) -> int:
    visit.limit("invite", rate=30, burst=10)
    by = visit.member()
    if visit.request.POST.get("do") == "all":
        return online_services.invite_members(visit.tournament, by)
    chosen = visit.request.POST.getlist("who")[:MOST_INVITED]
    rows = services.candidates(visit.club, visit.state).filter(public_id__in=chosen, player__isnull=False)
    players = [each.player for each in rows.select_related("player__merged_into") if each.player is not None]
    return online_services.invite(visit.tournament, players, by)


LONGEST_REASON = 200


@require_safe_or_post
@director_only
def paste(visit: Visit) -> HttpResponseBase:
    """Enter people from pasted lines with persons, pairs or tables, after a preview."""
    return visit.act_or_page(lambda: _enter(visit), "tournaments/registration/paste.html", lambda: _context(visit))


def _text(visit: Visit) -> str:
    """The pasted text, or the text of the uploaded file. Raises BadFile."""
    file = visit.request.FILES.get("file")
    if file is None:
        return visit.request.POST.get("text", "")
    if file.size is None or file.size > MOST_BYTES:
        raise BadFile(gettext("This file is too large: at most 1 MB."))
    return pasting.text_of(file.name or "", file.read())


def _context(visit: Visit) -> Mapping[str, Any]:
    text, paste, trouble = "", None, ""
    if visit.request.method == "POST":
        try:
            text = _text(visit)
            paste = pasting.read(visit.club, visit.state, text) if text.strip() else None
        except BadFile as refusal:
            trouble = str(refusal.message)
    return {
        "text": text,
        "paste": paste,
        "trouble": trouble,
        "parts": _parts(paste) if paste else (),
        "here": visit.request.POST.get("here") == "yes",
        "reason": visit.request.POST.get("reason", "")[:LONGEST_REASON] or gettext("Lots were drawn in the hall"),
        "pairs": visit.state.plan.kind == PAIR,
        "longest_reason": LONGEST_REASON,
    }


def _parts(paste: Paste) -> list[tuple[str, str, list[pasting.Line]]]:
    parts = (
        ("broken", gettext("To put right first"), [line for line in paste.lines if line.wrong]),
        ("new", gettext("These enter"), [line for line in paste.lines if line.new]),
        ("known", gettext("They have entered already"), [line for line in paste.good if not line.new]),
    )
    return [part for part in parts if part[2]]


def _enter(visit: Visit) -> HttpResponseBase | None:
    data = visit.request.POST
    if data.get("do") != "enter":
        return None
    entered, round = pasting.apply(
        visit.tournament,
        data.get("text", ""),
        mark=data.get("mark", ""),
        here=data.get("here") == "yes",
        reason=data.get("reason", "").strip()[:LONGEST_REASON] or gettext("Lots were drawn in the hall"),
        by=visit.director,
        request_id=visit.request_id,
    )
    message = ngettext("%(number)d person has entered.", "%(number)d people have entered.", entered)
    if round is not None:
        return visit.done(
            visit.url("round", round.key), gettext("This is the seating that was typed. Look at it, and publish it.")
        )
    return visit.done(visit.url("people"), message % {"number": entered})
