"""How the points of a deal came together, and which deal decided a game, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.read_models import DealCount, SideCount, Sight
from games.text import common


@dataclass(frozen=True, slots=True)
class CountedSide:
    """A side of the deal: its mark and names, its count, and what it scored."""

    team: str
    names: str
    count: SideCount
    scart: tuple[str, ...]
    score: str


def counted_sides(counted: DealCount, sight: Sight) -> list[CountedSide]:
    """The sides of the deal, the viewer's own first."""
    sheet = next(sheet for sheet in sight.sheets if sheet.number == counted.hand)
    parties = sheet.parties or sight.parties
    return [
        CountedSide(
            "AB"[at] if len(parties) == 2 else "",
            common.seats_named(parties[at], sight),
            counted.sides[at],
            counted.scart if counted.sides[at].scart else (),
            common.scores_of(parties[at], sheet.scores, sight),
        )
        for at in common.own_first(parties, sight.viewer)
    ]


def counts_tapp(counted: DealCount) -> bool:
    """Whether what lay apart is the Tapp that nobody took up: in a Solo, and in a Misere."""
    return any(line.kind == "misere" or line.verb == "solo" for line in counted.told)


def stakes_settled(counted: DealCount, sight: Sight) -> str:
    """How many stakes each opponent of the Tappist settled, and what makes them more than one. Empty where everybody played
    alone, nobody won, and where nothing is staked."""
    options = dict(sight.options)
    sheet = next(sheet for sheet in sight.sheets if sheet.number == counted.hand)
    if "stake" not in options or len(sheet.parties) != 2:
        return ""
    opponents = max(sheet.parties, key=len)
    stakes = abs(sheet.scores[opponents[0]]) // int(options["stake"])
    if not stakes:
        return ""
    return ngettext(
        "Each opponent settles %(count)d stake of %(stake)d Rappen. It counts double if the losers have at most %(low)d points, "
        "treble if they have no trick, and twice as much again in a Solo.",
        "Each opponent settles %(count)d stakes of %(stake)d Rappen. One counts double if the losers have at most %(low)d "
        "points, treble if they have no trick, and twice as much again in a Solo.",
        stakes,
    ) % {"count": stakes, "stake": options["stake"], "low": options["double_at"]}


def deciding_deal(sight: Sight) -> str:
    """Which deal of a game brought its winner the most against the next best, as a sentence; it decided the game if without it
    they would not have won. Empty while the game is played, for a draw, for practice, and where there was one deal only."""
    played = [sheet for sheet in sight.sheets if sheet.status == "played" and sheet.scores]
    if sight.status != "finished" or sight.kind == "practice" or not sight.winners or len(played) < 2:
        return ""
    winner = sight.winners[0]
    others = [seat for seat in range(len(sight.totals)) if seat not in sight.winners]
    best = max(others, key=lambda seat: sight.totals[seat])
    most = max(played, key=lambda sheet: _gain(sheet.scores, winner, best))
    names = common.seats_named(next(party for party in sight.parties if winner in party), sight)
    score = common.amount(most.scores[winner], sight)
    fields = {"number": sight.sheets.index(most) + 1, "names": names, "score": score}
    if _gain(most.scores, winner, best) >= _gain(sight.totals, winner, best):
        return _("Hand %(number)d decided it: %(names)s %(score)s.") % fields
    return _("Hand %(number)d weighed most: %(names)s %(score)s.") % fields


def _gain(scores: Sequence[int], winner: int, other: int) -> int:
    return scores[winner] - scores[other]
