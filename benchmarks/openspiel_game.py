"""Every game of the site as a game of OpenSpiel (`pip install open_spiel`; nothing here needs it).

    import pyspiel
    import benchmarks.openspiel_game  # registers python_troccas
    game = pyspiel.load_game("python_troccas", {"ruleset": "troggu", "seats": 5, "dealer": 0})

One game is one hand. Chance deals the pack card by card, top first; after that the players' actions are the numbers of
`benchmarks/steps.py`. Returns are the hand's scores, in points above par or in points, in Troggu in Rappen. The information state is what a
seat knows, as text.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from benchmarks.steps import NUMBERS, Steps
from domain.engine import CODES, cards_in, ruleset

_PARAMETERS = {"ruleset": "troccas", "seats": 4, "dealer": 0}
_LARGEST = 1000.0  # points or Rappen: beyond what a hand of any game here can bring

_TYPE = pyspiel.GameType(
    short_name="python_troccas",
    long_name="Troccas and Troggu",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
    parameter_specification=_PARAMETERS,
)


class TroccasGame(pyspiel.Game):
    """One ruleset at one size of table. Raises UnknownRuleset."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        self.rules = ruleset(given["ruleset"], seats=given["seats"])
        self.dealer = given["dealer"]
        info = pyspiel.GameInfo(
            num_distinct_actions=NUMBERS,
            max_chance_outcomes=len(CODES),
            num_players=self.rules.seats,
            min_utility=-_LARGEST,
            max_utility=_LARGEST,
            utility_sum=None,
            max_game_length=2 * len(CODES) + 40,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> TroccasState:
        return TroccasState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        return _Observer()


class TroccasState(pyspiel.State):
    """A hand, before the last card of the pack is laid without one."""

    def __init__(self, game: TroccasGame) -> None:
        super().__init__(game)
        self._rules, self._dealer = game.rules, game.dealer
        self._pack: list[int] = []
        self._left = list(cards_in(game.rules.pack))
        self.steps: Steps | None = None

    def current_player(self) -> int:
        if self.steps is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.steps.over else self.steps.turn

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(card, 1 / len(self._left)) for card in self._left]

    def _legal_actions(self, player: int) -> list[int]:
        return self.steps.numbers if self.steps is not None and player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        if self.steps is not None:
            self.steps.push(action)
            return
        self._left.remove(action)
        self._pack.append(action)
        if not self._left:
            self.steps = Steps(self._rules, self._dealer, self._pack)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.steps is None or player < 0:
            return CODES[action]
        return self.steps.text(action)

    def is_terminal(self) -> bool:
        return self.steps is not None and self.steps.over

    def returns(self) -> list[float]:
        if self.steps is None or not self.steps.over:
            return [0.0] * self._rules.seats
        return [float(score) for score in self.steps.scores]

    def information_state_string(self, player: int) -> str:
        return "" if self.steps is None else self.steps.seen(player)

    observation_string = information_state_string

    def __str__(self) -> str:
        if self.steps is None:
            return " ".join(CODES[card] for card in self._pack)
        return "\n\n".join(self.steps.seen(seat) for seat in range(self._rules.seats))


class _Observer:
    """What a seat knows, as text."""

    tensor = None
    dict: dict[str, object] = {}

    def set_from(self, state: TroccasState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: TroccasState, player: int) -> str:
        return state.information_state_string(player)


pyspiel.register_game(_TYPE, TroccasGame)
