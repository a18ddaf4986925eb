"""Every game of the site as an environment of PettingZoo (`pip install pettingzoo`; nothing here needs it).

    from benchmarks.pettingzoo_env import env
    hand = env("troccas", seats=4)  # an AECEnv: reset, agent_iter, last, step

One episode is one hand. An observation is a dict: `observation`, what the agent knows as ones and zeros (`steps.features`), and
`action_mask`. The actions are the numbers of `benchmarks/steps.py`. Rewards come at the end: the hand's scores, in points above par or in
points, in Troggu in Rappen.
"""

from __future__ import annotations

import random
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from benchmarks.steps import NUMBERS, Steps, features, size_of_features
from domain.engine import cards_in, ruleset


def env(name: str = "troccas", *, seats: int | None = None, render_mode: str | None = None) -> Any:
    """The environment of a ruleset, with the checks of PettingZoo around it. Raises UnknownRuleset."""
    return wrappers.OrderEnforcingWrapper(raw_env(name, seats=seats, render_mode=render_mode))


class raw_env(AECEnv):  # noqa: N801  # the name that PettingZoo's own games have
    """The same without checks."""

    metadata = {"name": "troccas_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, name: str = "troccas", *, seats: int | None = None, render_mode: str | None = None) -> None:
        self.rules = ruleset(name, seats=seats)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        size = size_of_features(self.rules)
        self._actions = {agent: spaces.Discrete(NUMBERS) for agent in self.possible_agents}
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (size,), numpy.int8),
                    "action_mask": spaces.Box(0, 1, (NUMBERS,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._luck = random.Random()

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """A new pack, and a dealer by chance; both follow from `seed` if there is one."""
        if seed is not None:
            self._luck = random.Random(seed)
        pack = list(cards_in(self.rules.pack))
        self._luck.shuffle(pack)
        self.steps = Steps(self.rules, self._luck.randrange(self.rules.seats), pack)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.steps.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask = numpy.zeros(NUMBERS, numpy.int8)
        if not self.steps.over and seat == self.steps.turn:
            mask[self.steps.numbers] = 1
        return {"observation": numpy.array(features(self.steps, seat), numpy.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Raises ValueError for an action that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.steps.push(int(action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.steps.over:
            self.rewards = dict(zip(self.possible_agents, self.steps.scores, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.steps.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.steps.seen(self.steps.turn if not self.steps.over else 0) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
