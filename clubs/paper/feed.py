"""What happened in a tournament, as an Atom feed: rounds that are out, rounds that are closed, the ranking.

It is worded in the language of the tournament and names people as everybody may read them, so that all get the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from clubs.evening.state import DRAFT, State
from clubs.paper import kit
from clubs.paper.kit import Reading
from clubs.tournament_models import Tournament, TournamentEvent
from clubs.tournaments.seen import Names, ranking_seen
from rules.atom import SteadyAtom

_KINDS: Final = ("tournament.opened", "round.published", "round.closed", "tournament.closed")
_NEWEST: Final = 50
_FIRST: Final = 3


@dataclass(frozen=True, slots=True)
class _Item:
    number: int
    title: str
    text: str
    url: str
    at: datetime


def atom(reading: Reading) -> str:
    """The feed, the newest entry first. Ids never change."""
    tournament = reading.tournament
    with override(language_of(tournament)):
        feed = SteadyAtom(
            title=f"{tournament.name} – {tournament.club.name}",
            link=kit.absolute("home", tournament),
            description=tournament.place,
            language=language_of(tournament),
            feed_url=kit.absolute("news", tournament),
            feed_guid=kit.absolute("home", tournament),
            since=tournament.created_at,
        )
        for item in _items(tournament, reading.state):
            feed.add_item(
                title=item.title,
                link=item.url,
                description=item.text,
                pubdate=item.at,
                updateddate=item.at,
                unique_id=f"{kit.absolute('news', tournament)}#{item.number}",
            )
        return feed.writeString("utf-8")


def language_of(tournament: Tournament) -> str:
    """The language of its paper, its screen and its feed: its own, else the club's, else the site's."""
    known = {code for code, _name in settings.LANGUAGES}
    wanted = (tournament.language, tournament.club.language)
    return next((code for code in wanted if code in known), settings.LANGUAGE_CODE)


def _items(tournament: Tournament, state: State) -> list[_Item]:
    rows = TournamentEvent.objects.filter(tournament=tournament, kind__in=_KINDS, number__lte=state.number)
    found = []
    names = Names(tournament, "public")
    for row in rows.order_by("-number")[:_NEWEST]:
        item = _item(tournament, state, row, names)
        if item is not None:
            found.append(item)
    return found


def _item(tournament: Tournament, state: State, row: TournamentEvent, names: Names) -> _Item | None:
    if row.kind == "tournament.opened":
        text = _("All its draws come from what this promises: %(commitment)s") % {"commitment": state.commitment}
        title = _("The tournament begins") if state.plan.online else _("The door is open")
        return _Item(row.number, title, text, kit.absolute("draws", tournament), row.at)
    if row.kind == "tournament.closed":
        seen = ranking_seen(state, names)
        first = [f"{each.rank}. {each.name}" for each in seen.places if 0 < each.rank <= _FIRST]
        text = "; ".join(first)
        return _Item(row.number, _("The ranking is final"), text, kit.absolute("ranking", tournament), row.at)
    key = str(row.data.get("round", ""))
    round = state.round(key)
    if round is None or round.status == DRAFT or row.data.get("off"):
        return None
    phase, _dot, number = key.partition(".")
    name = state.phases[int(phase) - 1].name
    called = f"{name}, " if name else ""
    title = (_("Round %(number)s is published") if row.kind == "round.published" else _("Round %(number)s is over")) % {
        "number": number
    }
    count = len(round.tables)
    text = called + ngettext("%(count)d table", "%(count)d tables", count) % {"count": count}
    if round.deadline and row.kind == "round.published":
        there = timezone.localtime(datetime.fromisoformat(round.deadline), timezone.get_default_timezone())
        when = date_format(there, "DATETIME_FORMAT")  # of the site, not of the reader: all get the same
        text += ", " + _("until %(when)s") % {"when": when}
    return _Item(row.number, title, text, kit.absolute("seating-round", tournament, key), row.at)
