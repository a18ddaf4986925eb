"""What the viewer of a game may do now, as data from which a program can choose without knowing any rule."""

from __future__ import annotations

from typing import Any

from games.seen import CardSeen, Sight


def legal_of(seen: Sight) -> dict[str, Any]:
    """All legal actions of the viewer, in the shape of `shapes.Legal`."""
    question = seen.question
    if not question.mine:
        return _legal("none")
    if question.asked == "sit":
        return _legal("ready")
    if question.asked == "cut":
        return _legal("number", verb="cut", low=1, high=question.most)
    if question.asked == "arrange":
        return _legal("arrange", verb="arrange", cards=list(question.pile))
    if question.asked == "play":
        return _legal("one-of", actions=[action for card in seen.cards for action in _plays(card)])
    actions = [choice.action for choice in question.choices]
    if question.choose:
        return _legal(
            "cards",
            verb=question.asked,
            actions=actions,
            count=question.choose,
            together=[card.code for card in seen.cards if card.together],
            cards=[card.code for card in seen.cards if card.playable and not card.together],
        )
    return _legal("one-of", actions=actions, talk=question.talk)


def _plays(card: CardSeen) -> list[str]:
    """All ways to play one card of the hand."""
    if not card.playable:
        return []
    ways = [f"play {card.code}"]
    if card.pair:
        ways.append(f"play {card.code} {card.pair}")
    if card.knock:
        ways.append(f"play {card.code} knock")
    if card.call:
        ways.append(f"play {card.code} buob")
    return ways


def _legal(kind: str, **parts: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {
        "verb": "",
        "actions": [],
        "low": 0,
        "high": 0,
        "count": 0,
        "cards": [],
        "together": [],
        "talk": "silent",
    }
    return {"kind": kind} | nothing | parts
