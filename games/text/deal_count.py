"""The count of a deal, and which deal decided a game, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from domain.engine.rulesets import ruleset
from domain.engine.tapp import Stakes
from games.read_models import DealCount, Replay, SideCount, Sight
from games.text import common


@dataclass(frozen=True, slots=True)
class CountedSide:
    """A side of the deal: its mark and names, its count, and its score."""

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
            "AB"[side] if len(parties) == 2 else "",
            common.seats_named(parties[side], sight),
            counted.sides[side],
            counted.scart if counted.sides[side].scart else (),
            common.scores_of(parties[side], sheet.scores, sight),
        )
        for side in common.own_first(parties, sight.viewer)
    ]


def counts_tapp(deal: DealCount | Replay) -> bool:
    """Whether the Tapp is counted, which nobody took up, instead of cards laid away: in a Solo."""
    lines = [line for step in deal.steps for line in step.lines] if isinstance(deal, Replay) else deal.told
    return any(line.verb == "solo" for line in lines)


def stakes_settled(counted: DealCount, sight: Sight) -> str:
    """Say who settles how many stakes, and why there may be more than one.

    Empty if nobody won, or the game is not played for stakes.
    """
    options = dict(sight.options)
    if "stake" not in options:
        return ""
    if any(line.kind == "misere" for line in counted.told):
        return _misere_settled(sight.ruleset) % {"stake": options["stake"]}
    sheet = next(sheet for sheet in sight.sheets if sheet.number == counted.hand)
    if len(sheet.parties) != 2:
        return ""
    opponents = max(sheet.parties, key=len)
    stakes = abs(sheet.scores[opponents[0]]) // int(options["stake"])
    if not stakes:
        return ""
    settled = ngettext(
        "Each opponent settles %(count)d stake of %(stake)d Rappen. It counts double if the losers have at most %(low)d points, "
        "treble if they have no trick, and twice as much again in a Solo.",
        "Each opponent settles %(count)d stakes of %(stake)d Rappen. One counts double if the losers have at most %(low)d "
        "points, treble if they have no trick, and twice as much again in a Solo.",
        stakes,
    ) % {"count": stakes, "stake": options["stake"], "low": options["double_at"]}
    if len(sheet.parties[0]) == 1 or len(sheet.parties[1]) == 1:
        return settled
    partner = _("The Tappist’s partner settles twice as much as an opponent, the Tappist the rest.")
    return joined(" ", (settled, partner))


def _misere_settled(id: str) -> str:
    settlement = ruleset(id).settlement
    if isinstance(settlement, Stakes) and settlement.fewest_win:
        return _(
            "In a Misere, whoever has the fewest points gets a stake of %(stake)d Rappen from each of the others; "
            "players with equally few pay each other nothing."
        )
    return _(
        "In a Misere, whoever has the most points pays a stake of %(stake)d Rappen to each of the others; "
        "players with equally many pay each other nothing."
    )


def deciding_deal(sight: Sight) -> str:
    """The deal in which the winner of a game gained the most on the runner-up, as a sentence.

    It decided the game if they would not have won without it. Empty while the game is played, for a draw or a
    shared first place, in practice, and if there was only one deal.
    """
    played = [sheet for sheet in sight.sheets if sheet.status == "played" and sheet.scores]
    if sight.status != "finished" or sight.kind == "practice" or sight.winners not in sight.parties or len(played) < 2:
        return ""
    winner = sight.winners[0]
    others = [seat for seat in range(len(sight.totals)) if seat not in sight.winners]
    best = max(others, key=lambda seat: sight.totals[seat])
    most = max(played, key=lambda sheet: _gain(sheet.scores, winner, best))
    names = common.seats_named(sight.winners, sight)
    score = common.amount(most.scores[winner], sight)
    fields = {"number": most.ordinal, "names": names, "score": score}
    if _gain(most.scores, winner, best) >= _gain(sight.totals, winner, best):
        return _("Hand %(number)d decided it: %(names)s %(score)s.") % fields
    return _("Hand %(number)d weighed most: %(names)s %(score)s.") % fields


def _gain(scores: Sequence[int], winner: int, other: int) -> int:
    return scores[winner] - scores[other]
