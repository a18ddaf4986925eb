"""What a program has to know about the games, without a token: rulesets, cards, phrases. Also records of games."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from ninja import Field, Router
from pydantic import ConfigDict

from core.schemas import Schema
from domain.engine import codes
from domain.engine.cards import card_of, value_of
from domain.engine.ruleset import Option as RuleOption
from domain.engine.rulesets import ruleset
from games import forms
from games.api.base import READS, Limited, answer, player_of, problems
from games.api.games import game_for
from games.api.schemas import Key, Option
from games.lobby import text
from games.selectors import replay
from games.selectors import rulesets as choosing
from rules.text import names

router = Router(tags=["rules"], auth=Limited())


class OptionOut(Schema):
    """One thing a table may agree on: true or false, one of `choices`, or a number from `low` to `high`."""

    name: str = Field(description="by which `options` of a new game or table names it")
    label: str = Field(description="its name in your language")
    meaning: str = Field(description="what it changes, in your language")
    default: Option = Field(description="as it is if you leave it out")
    choices: list[str] = Field(description="the words to choose from; empty for a switch or a number")
    low: int = Field(description="the least, of a number")
    high: int = Field(description="the most, of a number; 0 for a switch or words")
    one_per_player: bool = Field(description="the default is the number of players")


class RulesetOut(Schema):
    """A game that can be played."""

    id: str = Field(description="`ruleset` of a new game or table")
    version: int = Field(description="rules that change get another")
    name: str = Field(description="in your language")
    sentence: str = Field(description="what kind of game it is, in your language")
    sizes: list[int] = Field(description="how many may play")
    clockwise: bool = Field(description="whether the turn goes round clockwise")
    pack: list[str] = Field(description="the codes of its cards")
    options: list[OptionOut]


class TimesOut(Schema):
    """The times one may choose for a table of a kind of pace, in seconds."""

    kind: str = Field(description="live or days")
    action: list[int] = Field(description="for each move")
    bank: list[int] = Field(description="in reserve")
    wait: list[int] = Field(description="how long a table may wait")
    vacation: list[int] = Field(description="days")


class PaceChoice(Schema):
    """A pace from which a table starts."""

    id: str = Field(description="`pace` of a new table")
    name: str = Field(description="in your language")
    kind: str = Field(description="live or days; empty where nobody is hurried")
    action: int = Field(description="seconds for each move")
    bank: int = Field(description="seconds in reserve")


class RulesetsOut(Schema):
    """All games, and the paces of their tables."""

    rulesets: list[RulesetOut]
    paces: list[PaceChoice]
    times: list[TimesOut]


class CardNamed(Schema):
    """A card. The code is the same everywhere and never changes; the name is in your language."""

    code: str
    name: str
    suit: str = Field(description="C cups, O coins, S swords, B batons, T trumps, F the Fool")
    points: int = Field(description="what it counts for by itself")


class PhraseOut(Schema):
    """A phrase of the talk: its id may follow allow, veto and liber."""

    id: str
    says: str = Field(description="what is said, in Sursilvan")
    literal: str
    tells: str = Field(description="what it tells of the hand")
    strength: int = Field(description="from 0 (weak) to 5 (strong)")


@router.get("/rulesets", response={200: RulesetsOut, **problems()}, summary="The games and their options")
def rulesets(request: HttpRequest) -> dict[str, Any]:
    """Everything that can be chosen when a game is begun or a table laid."""
    return {
        "rulesets": [_ruleset(ruleset_id) for ruleset_id in choosing.ORDER],
        "paces": [
            {
                "id": pace.id,
                "name": pace.name,
                "kind": str(terms.kind) if terms is not None else "",
                "action": int(terms.action.total_seconds()) if terms is not None else 0,
                "bank": int(terms.bank.total_seconds()) if terms is not None else 0,
            }
            for pace in text.offered_paces()
            for terms in (pace.terms,)
        ],
        "times": [
            {
                "kind": str(kind),
                "action": _seconds(text.ACTIONS[kind]),
                "bank": _seconds(text.BANKS[kind]),
                "wait": _seconds(text.WAITS[kind]),
                "vacation": list(text.VACATIONS) if kind == "days" else [0],
            }
            for kind in text.ACTIONS
        ],
    }


@router.get("/cards", response={200: list[CardNamed], **problems()}, summary="The cards")
def cards(request: HttpRequest) -> list[dict[str, Any]]:
    """All 78; Troggu is played with 62 of them (`pack` of the ruleset)."""
    return [
        {
            "code": code,
            "name": names.card_name(code),
            "suit": "F" if code == "F" else code[0],
            "points": value_of(card_of(code)),
        }
        for code in codes(ruleset("troccas").pack)
    ]


@router.get("/talk", response={200: list[PhraseOut], **problems()}, summary="The phrases of the talk")
def talk(request: HttpRequest) -> list[dict[str, Any]]:
    """What may be said where `legal.talk` is `phrases` or `free`, in the order of the phrase book."""
    return [asdict(phrase) | {"says": phrase.romansh} for phrase in names.phrases()]


def _ruleset(id: str) -> dict[str, Any]:
    rules = ruleset(id)
    facts = {"version": rules.version, "sizes": rules.sizes, "clockwise": rules.clockwise, "pack": codes(rules.pack)}
    return asdict(choosing.glance(id)) | facts | {"options": [_option(option) for option in rules.options]}


def _option(option: RuleOption) -> dict[str, Any]:
    label, meaning = forms.words_of(option.name)
    return asdict(option) | {"label": label, "meaning": meaning}


def _seconds(times: Any) -> list[int]:
    return [int(time.total_seconds()) for time in times]


records_router = Router(tags=["records"])


class RecordedHandOut(Schema):
    """One deal: who dealt, the pack as it lay before the cut, top first, and all actions as `seat action`."""

    dealer: int = Field(description="a seat; they count in the order of play, from 0")
    pack: str = Field(description="codes of cards, with spaces between them")
    actions: list[str] = Field(description="as `2 play CK`")


class RecordOut(Schema):
    """A game in the format `troccas-record`, version 1, which `/api/v1/play/record-format.md` describes."""

    model_config = ConfigDict(extra="allow")

    format: str = Field(description="troccas-record")
    version: int = Field(description="of the format")
    ruleset: str = Field(description="an id of GET /rulesets")
    ruleset_version: int = Field(description="rules that change get another")
    options: dict[str, Any] = Field(description="those that are not as the ruleset has them")
    players: list[str] = Field(description="their names, seat by seat")
    hands: list[RecordedHandOut] = Field(description="those that are over and may be looked at")
    events: list[dict[str, Any]] = Field([], description="what happened at the table that is no action")
    proof: list[dict[str, Any] | None] = Field([], description="for each hand the promise of its pack, and its secret")


@records_router.get(
    "/games/{key}/record", auth=READS, response={200: RecordOut, **problems(401, 404)}, summary="The record of a game"
)
def record(request: HttpRequest, key: Key) -> Any:
    """Every hand that is over: packs, all actions, the promise of the pack and its secret. A hand that runs is not in it."""
    return answer(replay.record(game_for(key, player_of(request))).to_json())
