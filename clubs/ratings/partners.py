"""Two sides against each other: skill as points per deal, learnt from the margin.

Each player adds their skill to the margin of their side, the opponents subtract theirs; the cards dealt and the play add
luck. A match changes what is believed by the rule of Bayes for normal distributions, player by player; `separation` puts
all matches together in the end. Where other tables played the same deals, what they made of them tells
what the cards were worth: then most of the luck is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from clubs.ratings.boards import gains
from clubs.ratings.model import CAP, Model, within
from clubs.ratings.people import People
from clubs.ratings.results import Result, Side
from clubs.ratings.separation import Company


@dataclass(frozen=True, slots=True)
class Step:
    """What one result said: the points per deal expected of the first side, those it gained (the worth of its cards
    taken off as far as it is known), and the variance of the difference."""

    result: Result
    expected: float
    gained: float
    variance: float


class Partners:
    """The fold over results with two sides; give them to `add` in order.

    By no more than `cap` standard deviations may one result surprise: a blow-out counts, but no more than a large win.
    `company` gets to know every match, for the final ratings; estimates do without.
    """

    def __init__(self, model: Model, *, cap: float = CAP, company: Company | None = None) -> None:
        self.model = model
        self.people = People(model)
        self._cap = cap
        self._company = company

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Step:
        """Learn from `result`; `elsewhere` are the other tables with the same deals."""
        (first, _), (second, _) = result.sides
        ours = [(self.people.present(player, result.when), 1.0) for player in first]
        ours += [(self.people.present(player, result.when), -1.0) for player in second]
        worth, unknown = self._cards(result, elsewhere)
        expected = sum(standing.mean * sign for standing, sign in ours)
        luck = self.model.play**2 / result.deals + unknown
        variance = luck + sum(standing.variance for standing, _ in ours)
        gained = gains(result, None)[0] - worth
        surprise = within(gained - expected, self._cap * sqrt(variance))
        for standing, sign in ours:
            part = standing.variance / variance
            standing.mean += sign * part * surprise
            standing.variance -= part * standing.variance
            standing.deals += result.deals
        if self._company is not None:
            self._company.met((first, second), result.when, expected + surprise, luck)
        return Step(result, expected, gained, variance)

    def _cards(self, result: Result, elsewhere: Sequence[Result]) -> tuple[float, float]:
        """What the first side's cards were worth, in points per deal, and the variance of what of that stays unknown.

        Every other table is a witness, as good as its luck and what is known of its players allow; without any the worth
        is 0 and everything unknown.
        """
        dealt, played = self.model.deal**2 / result.deals, self.model.play**2 / result.deals
        information, told = 1 / dealt, 0.0
        for other in elsewhere:
            expected, skills = self._believed(other.sides)
            unsure = played + skills
            seen = within(gains(other, None)[0] - expected, self._cap * sqrt(dealt + unsure))
            information += 1 / unsure
            told += seen / unsure
        if result.datum is not None:
            seen = (result.datum.scores[0] - result.datum.scores[1]) / (2 * result.deals)
            unsure = (played + len(result.players) * self.model.skill**2) / result.datum.tables
            information += 1 / unsure
            told += within(seen, self._cap * sqrt(dealt + unsure)) / unsure
        return told / information, 1 / information

    def _believed(self, sides: Sequence[Side]) -> tuple[float, float]:
        mean, variance = 0.0, 0.0
        for (players, _), sign in zip(sides, (1.0, -1.0), strict=True):
            for player in players:
                skill, unsure = self.people.known(player)
                mean += sign * skill
                variance += unsure
        return mean, variance
