"""What is believed about each player while results are read, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.ratings.model import Model


@dataclass(slots=True)
class Standing:
    """What is believed about one player: mean and variance of their skill on day `when`, from so many deals."""

    mean: float
    variance: float
    when: int
    deals: int = 0


class People:
    """Everybody seen so far. Who is new begins in the middle, as unsure as the model's spread of skill."""

    __slots__ = ("_standings", "model")

    def __init__(self, model: Model) -> None:
        self.model = model
        self._standings: dict[str, Standing] = {}

    def names(self) -> list[str]:
        """Everybody's ids, in order."""
        return sorted(self._standings)

    def known(self, player: str) -> tuple[float, float]:
        """Mean and variance as they stand; those of a new player if nothing is known."""
        standing = self._standings.get(player)
        return (standing.mean, standing.variance) if standing else (0.0, self.model.skill**2)

    def present(self, player: str, when: int) -> Standing:
        """The standing of `player` on that day, to be changed. As time passes what was learnt fades, and the player comes
        nearer to a new one."""
        standing = self._standings.get(player)
        if standing is None:
            standing = self._standings[player] = Standing(0.0, self.model.skill**2, when)
        elif when > standing.when:
            left = self.model.kept(when - standing.when)
            nothing = 1 / self.model.skill**2
            certainty = nothing + left * max(1 / standing.variance - nothing, 0.0)
            standing.mean *= left / (standing.variance * certainty)
            standing.variance = 1 / certainty
            standing.when = when
        return standing
