"""The pages of seasons: their list, their ranking, beginning and ending one, and entries that are the same person."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from clubs import evenings, naming, selectors, text
from clubs.forms.club import SeasonForm
from clubs.models import Member, Season
from clubs.notifications import SEASON
from clubs.permissions import Act
from clubs.services import letters, seasons
from clubs.views.base import Visit, at_club, confirm_page
from core.http import page_of, require_safe_or_post
from core.sursilvan import in_a_row
from domain.standings.season import Share
from games.text.figures import with_minus

PER_PAGE: Final = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the ranking. `shares` are in the order of the evenings, None for one that the person missed: the points,
    and whether they count."""

    rank: int
    shared: bool
    name: str
    entry: str
    club: str
    total: str
    attended: int
    shares: tuple[tuple[str, bool] | None, ...]


@require_GET
@at_club
def season_list(visit: Visit) -> HttpResponseBase:
    page = page_of(visit.request, seasons.all_seasons(visit.club), PER_PAGE)
    return visit.public_page("clubs/seasons.html", {"page": page})


@require_GET
@at_club
def season(visit: Visit, public_id: str) -> HttpResponseBase:
    """The ranking of a season, with the share of each evening."""
    row = seasons.season_of(visit.club, public_id)
    linked = sorted(evenings.source().of_season(row), key=lambda evening: (evening.past.date, evening.past.id))
    columns = _columns(visit, linked)
    context: dict[str, object] = {"season": row, "rules": _rules_in_words(row), "columns": columns.values()}
    try:
        ranked = seasons.ranking(row, [evening.past for evening in linked])
    except seasons.Clash as clash:
        evening, _url = columns[clash.evening.id]
        trouble = seasons.clash_in_words(row, clash, evening, visit.standing.audience)
        context |= {"trouble": trouble, "rows": []}
    else:
        context |= _table(visit, row, ranked, columns)
    if visit.standing.may(Act.SEASONS):
        context |= {"entries": _entries(context), "same": _same(row, visit.standing.audience)}
        counting = evenings.source().counting(row)
        own = [(each, each.id in counting) for each in evenings.source().all_of(visit.club) if not each.cancelled]
        context["club_evenings"] = own[: -_SHOWN - 1 : -1]
        if linked and context["rows"]:
            context["letter"] = letters.letter(visit.club, SEASON, _about(row, ranked))
    return visit.public_page("clubs/season.html", context)


def _columns(visit: Visit, linked: list[evenings.Evening]) -> dict[str, tuple[str, str]]:
    """The label of each evening and its page, by `PastEvening.id`: for an evening that the visitor may not read, only
    its day and no page."""
    own = {entry.club_id for entry in selectors.entries_of(visit.player)}
    columns = {}
    for each in linked:
        readable = not each.only_for or each.only_for in own
        columns[each.past.id] = (each.label(titled=readable), each.url if readable else "")
    return columns


def _about(season: Season, ranked: seasons.Ranking) -> str:
    """The key of what a letter is about: the standings as they are, since a result may be corrected afterwards."""
    standings = json.dumps([(row.person, row.rank, row.values) for row in ranked.rows])
    return f"{season.public_id}|{hashlib.sha256(standings.encode()).hexdigest()[:16]}"


@require_POST
@at_club
def send_letter(visit: Visit, public_id: str) -> HttpResponseBase:
    """Send the standings to the members who want letters: once after each evening or correction."""
    season = seasons.season_of(visit.club, public_id)
    linked = list(evenings.source().of_season(season))
    url = visit.url("season", public_id)
    try:
        ranked = seasons.ranking(season, [evening.past for evening in linked])
    except seasons.Clash:
        return visit.done(url)
    ranks = {row.person: row for row in ranked.rows if row.rank}
    person = seasons.persons(season, ranked.people.values())

    def params(member: Member) -> dict[str, object]:
        told: dict[str, object] = {"club": visit.club.slug, "url": url, "season": season.name}
        row = ranks.get(person.get(member.public_id, member.public_id))
        if row is None:
            return told
        return told | {"rank": row.rank, "shared": row.shared, "all": len(ranks), "evenings": len(linked)}

    about, request_id = _about(season, ranked), visit.request_id
    count = letters.send(visit.club, visit.member(), SEASON, about, params, act=Act.SEASONS, request_id=request_id)
    return visit.done(url, letters.sent_words(count))


_SHOWN: Final = 20
"""How many evenings are listed, the latest first."""


def _share(share: Share | None) -> tuple[str, bool] | None:
    return (with_minus(share.points), share.counted) if share is not None else None


def _table(
    visit: Visit, season: Season, ranked: seasons.Ranking, columns: Mapping[str, tuple[str, str]]
) -> dict[str, object]:
    to = visit.standing.audience
    rows = []
    for row in ranked.rows:
        shares = {share.evening: share for share in row.shares}
        member = ranked.people.get(row.person)
        rows.append(
            Row(
                row.rank,
                row.shared,
                seasons.name_in(season, ranked.people, row.person, to),
                row.person,
                member.club.name if member is not None and member.club_id != visit.club.pk else "",
                with_minus(row.total),
                row.attended,
                tuple(_share(shares.get(evening)) for evening in columns),
            )
        )
    changes = [
        (
            seasons.name_in(season, ranked.people, each.person, to),
            in_a_row(columns[key][0] for key in each.now),
            in_a_row(columns[key][0] for key in each.no_longer),
        )
        for each in ranked.changes
    ]
    return {"rows": rows, "changes": changes}


def _same(season: Season, to: naming.Audience) -> list[tuple[str, str, str]]:
    """The entries that the club has joined: public id, name, and the name of the entry it counts for."""
    rows = Member.objects.select_related("club").filter(public_id__in={*season.same, *season.same.values()})
    people = {member.public_id: member for member in rows}

    def name(entry: str) -> str:
        member = people.get(entry)
        return f"{seasons.name_in(season, people, entry, to)} ({member.club.name})" if member is not None else entry

    return [(one, name(one), name(other)) for one, other in season.same.items()]


def _entries(context: dict[str, object]) -> list[tuple[str, str]]:
    rows = context.get("rows")
    assert isinstance(rows, list)
    return [(row.entry, f"{row.name} ({row.club})" if row.club else row.name) for row in rows]


def _rules_in_words(season: Season) -> list[tuple[str, str]]:
    """Each rule of the season that applies, as label and value."""
    rules = seasons.rules_of(season)
    lines = [(_("An evening brings"), text.choice("by", rules.by))]
    if rules.by == "place":
        lines.append((_("Points for places"), ", ".join(map(str, rules.place_points))))
    lines.append((_("Evenings that count"), _("the best %(n)d") % {"n": rules.best} if rules.best else _("all")))
    if rules.attendance:
        lines.append((_("For being there"), text.points_in_words(rules.attendance)))
    if rules.fewest:
        lines.append((_("Evenings needed for a rank"), str(rules.fewest)))
    return lines


@require_safe_or_post
@at_club
def edit(visit: Visit, public_id: str = "") -> HttpResponseBase:
    visit.check(Act.SEASONS)
    row = seasons.season_of(visit.club, public_id) if public_id else None
    form = SeasonForm(visit.sent, season=row)

    def save() -> HttpResponseRedirect:
        name = form.cleaned_data["season_name"]
        if row is None:
            kept = seasons.begin(visit.club, visit.member(), name, form.rules, request_id=visit.request_id)
        else:
            kept = seasons.change(
                visit.club, visit.member(), row.public_id, name, form.rules, request_id=visit.request_id
            )
        return visit.done(visit.url("season", kept.public_id), _("Saved."))

    return visit.form_page("clubs/season_edit.html", form, save, {"season": row})


@require_POST
@at_club
def end(visit: Visit, public_id: str) -> HttpResponseBase:
    """Declare the ranking final, or open the season again."""
    ended = visit.request.POST.get("ended") == "yes"
    seasons.end(visit.club, visit.member(), public_id, ended=ended, request_id=visit.request_id)
    message = _("The list is final.") if ended else _("The season is open again.")
    return visit.done(visit.url("season", public_id), message)


@require_POST
@at_club
def person(visit: Visit, public_id: str) -> HttpResponseBase:
    """Note that two entries are the same person, or take that back."""
    post = visit.request.POST
    seasons.one_person(
        visit.club,
        visit.member(),
        public_id,
        entry=post.get("entry", "")[:20],
        of_entry=post.get("of", "")[:20],
        request_id=visit.request_id,
    )
    return visit.done(visit.url("season", public_id), _("The list has been counted again."))


@require_safe_or_post
@at_club
def remove(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.SEASONS)
    if visit.request.method == "POST":
        seasons.remove(visit.club, visit.member(), public_id, request_id=visit.request_id)
        return visit.done(visit.url("seasons"), _("The season is deleted."))
    found = seasons.season_of(visit.club, public_id)
    title = _("Delete “%(title)s”?") % {"title": found.name}
    lost = [_("Its rules and its list are deleted. The evenings themselves stay as they are.")]
    return confirm_page(
        visit, title=title, lost=lost, button=_("Delete the season"), back=visit.url("season", public_id)
    )
