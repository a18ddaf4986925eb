"""The talk of a deal answered ahead: veto, consent, or veto unless the hand is weak; for each round, or all alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.engine import Action, View
from games.engine.actions import BARE
from games.engine.cards import TRUMP_CARDS

WORDS: Final = ("", "veto", "allow", "unless")
"""Of one round: ask me; veto; consent to a throw-in; veto unless I hold few trumps."""
MOST_TRUMPS: Final = 21
_ANSWERS: Final = {
    "talk": {"veto": "veto", "allow": "allow"},
    "free": {"veto": "veto", "allow": "liber"},
    # Who decides alone is not asked for consent: only the wish to go on is an answer to it.
    "demand": {"veto": "veto"},
    "decide": {"veto": "go"},
}


class NoTalk(ValueError):
    """What was sent says nothing about the talk; `str()` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What to say after each round, the first first; rounds beyond the last word are answered like it.

    `fewer` belongs to `unless`: with fewer trumps than that (the Fool is none), a throw-in is consented to.
    """

    rounds: tuple[str, ...] = ()
    fewer: int = 0

    def __bool__(self) -> bool:
        return any(self.rounds)

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return {"rounds": list(self.rounds), "fewer": self.fewer}


def read_talk(data: Mapping[str, object]) -> Talk:
    """The talk that JSON stands for; an empty mapping says nothing ahead. Raises NoTalk."""
    rounds, fewer = data.get("rounds", []), data.get("fewer", 0)
    if not isinstance(rounds, list) or len(rounds) > 9 or not all(word in WORDS for word in rounds):
        raise NoTalk("rounds are veto, allow, unless, or nothing")
    if not isinstance(fewer, int) or isinstance(fewer, bool) or not 0 <= fewer <= MOST_TRUMPS:
        raise NoTalk(f"fewer is a number of trumps up to {MOST_TRUMPS}")
    return Talk(tuple(rounds), fewer)


def answer(talk: Talk, view: View) -> Action | None:
    """What is said now; None if no talk is asked of the viewer, or they want to be asked."""
    if not talk.rounds or view.turn != view.seat or view.asked not in _ANSWERS:
        return None
    wish = talk.rounds[min(view.dealt, len(talk.rounds)) - 1]
    if wish == "unless":
        wish = "allow" if (view.held & TRUMP_CARDS).bit_count() < talk.fewer else "veto"
    verb = _ANSWERS[view.asked].get(wish)
    action = BARE.get(verb) if verb else None
    return action if action is not None and action in view.legal else None
