"""What a person answers when the table asks them: something of what `state.json` offers, by chance."""

from __future__ import annotations

import json
import random
from typing import Any

State = dict[str, Any]

_LIKELY = {"veto": 12, "go": 12, "allow": 1, "liber": 1, "throw-in": 1, "pass": 3, "solo": 1, "take": 3}
_WORDS = ("ussa vegni bi", "jeu vi buca", "go on, please", "na, na", "wir wollen spielen")


def answer(state: State, phrases: list[str], chance: random.Random) -> str:
    """An action in the record's words; `phrases` are those the page offers for the talk."""
    question = state["question"]
    asked = question["asked"]
    if asked == "cut":
        return f"cut {chance.randint(1, question['most'])}"
    if asked == "play":
        return _card(state, chance)
    if asked in ("scart", "discard"):
        return _laid_away(state, chance)
    if asked == "arrange":
        pile = list(question["pile"])
        chance.shuffle(pile)
        return chance.choice(["arrange", "arrange " + " ".join(pile)])
    choices = question["choices"]
    weights = [_LIKELY.get(choice["verb"], 4) for choice in choices]
    chosen = chance.choices(choices, weights)[0]
    action: str = chosen["action"]
    if question["talk"] != "silent" and chosen["verb"] in ("allow", "veto", "liber"):
        if phrases and chance.random() < 0.5:
            action += " " + chance.choice(phrases)
        if question["talk"] == "free" and chance.random() < 0.5:
            action += " " + json.dumps(chance.choice(_WORDS))
    return action


def said(state: State, phrases: list[str], chance: random.Random) -> str:
    """Something to say unasked, in the record's words; empty for nothing."""
    if state["sayable"] == "free" and chance.random() < 0.5:
        return "say " + json.dumps(chance.choice(_WORDS))
    return f"say {chance.choice(phrases)}" if phrases else ""


def _card(state: State, chance: random.Random) -> str:
    cards = [card for card in state["cards"] if card["playable"]]
    card = chance.choice(cards)
    if card["pair"] and chance.random() < 0.5:
        return f"play {card['code']} {card['pair']}"
    if card["call"] and chance.random() < 0.5:
        return f"play {card['code']} buob"
    if card["knock"] and chance.random() < 0.3:
        return f"play {card['code']} knock"
    return f"play {card['code']}"


def _laid_away(state: State, chance: random.Random) -> str:
    question = state["question"]
    if question["choices"] and chance.random() < 0.2:
        return str(chance.choice(question["choices"])["action"])
    together = [card["code"] for card in state["cards"] if card["together"]]
    free = [card["code"] for card in state["cards"] if card["playable"] and not card["together"]]
    chosen: list[str] = []
    if together and (len(free) < question["choose"] or chance.random() < 0.2):
        chosen = together
    chosen = chosen + chance.sample(free, question["choose"] - len(chosen))
    return f"{question['asked']} " + " ".join(chosen)


def forbidden(state: State, chance: random.Random) -> str:
    """Something one may not do now: a card that is not playable, nonsense, or an answer nobody asked for."""
    wrong = [f"play {card['code']}" for card in state["cards"] if not card["playable"]]
    return chance.choice([*wrong[:3], "play F F", "cut 999", "dance", "", "call T5", 'veto "the king of cups"'])
