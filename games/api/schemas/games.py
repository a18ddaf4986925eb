"""What the API says of a game: `games.read_models.Sight` field by field, for the seat of the token's player or for a watcher.

What the viewer of a game may do now, as data from which a program can choose without knowing any rule.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema

from games.read_models import CardSeen, Sight
from games.text import table
from games.text.log import log_line


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


Option = bool | int | str


class WhyOut(Schema):
    """The rule that forbids something. `rule` names it for programs."""

    rule: str
    card: str = Field(description="a card it speaks of, or empty")
    suit: str = Field(description="C, O, S, B, T for the trumps, or empty")
    number: int
    asked: str
    phrase: str


class SaidOut(Schema):
    """What somebody said in the talk after a round of the deal."""

    round: int
    seat: int
    verb: str = Field(description="allow, veto, liber, go, throw-in")
    phrases: list[str] = Field(description="ids of phrases; see /talk")
    words: str


class SeatOut(Schema):
    """One place at the table."""

    number: int = Field(description="seats count in the order of play, from 0")
    place: int = Field(description="the same counted from you: 0 is your own seat")
    side: int = Field(description="who has the same number plays together; -1 while you cannot tell")
    name: str
    player: str = Field(description="public id of the player")
    computer: bool
    own: bool
    partner: bool
    dealer: bool
    turn: bool
    ready: bool = Field(description="whether they wait for the next deal already")
    tricks: int = Field(description="tricks of their side in this deal, as far as you can tell")
    cards: int = Field(description="how many cards they hold")
    total: int
    face_up: str = Field(description="a card that lies face up before them, or empty")
    saying: list[SaidOut]
    team: str = Field(description="A or B where there are two sides, else empty")
    bid: str = Field(description="what they have said in the bidding: pass, take, solo, or empty")
    tappist: bool = Field(description="whether they play with the Tapp against the others")
    called: bool = Field(description="whether they are the called partner, once that is known")
    away: str = Field(description="away: a computer player acts for them; sought: a substitute is sought; else empty")
    reserve: int | None = Field(description="seconds in reserve, where there is a clock")
    reliability: str
    page: str = Field(description="public id of their page, or empty")


class UndoOut(Schema):
    """Something that may be taken back. `by` is null while you may ask for it: `POST /games/{id}/undo` with its `move`."""

    move: int
    verb: str
    by: int | None = Field(description="the seat that asks for it")
    waits: list[int] = Field(description="the seats that have not answered")
    mine: bool = Field(description="you have to answer: `POST /games/{id}/answer`")
    agreed: bool
    until: datetime | None


class SatOut(Schema):
    """Who sat at a seat at some moment."""

    seat: int
    name: str
    present: bool
    page: str


class CardOut(Schema):
    """A card of your hand. `playable` is whether it may be played (or laid away) now, `why` what forbids it."""

    code: str
    suit: str = Field(description="C, O, S, B, T for the trumps, F for the Fool")
    playable: bool
    why: WhyOut | None
    pair: str = Field(description="the companion that may be played with this king, or empty")
    knock: bool
    call: bool
    together: bool = Field(description="it may be laid away only together with all of its set")


class TrickCardOut(Schema):
    """A card on the table."""

    seat: int
    place: int
    code: str
    led: bool
    winning: bool


class TrickOut(Schema):
    """A trick, complete or not."""

    number: int
    suit: str = Field(description="what has to be followed: C, O, S, B, T, or empty")
    cards: list[TrickCardOut]
    winner: int | None = Field(description="the seat that has won it; null while cards are missing")


class QuestionOut(Schema):
    """What is asked now, and of whom. What may be answered stands in `legal` of the game."""

    asked: str = Field(
        description="sit, deal, arrange, cut, packets, talk, free, demand, decide, bid, scart, discard, partner, play, "
        "call, fool, take; empty when the game is over"
    )
    seat: int | None = Field(description="who is asked; null for all who are not ready")
    mine: bool
    talk: str = Field(description="what may be said beside the answer: silent, phrases, free")
    suit: str = Field(description="the suit to follow, or that of the trick")
    reason: str = Field(description="why just these cards may be played")
    claim: bool = Field(description="your cards prove that every trick left is yours: you may claim them")


class Legal(Schema):
    """All you may do now. `kind` says how to read it; every action is a text for `POST /games/{id}/act`.

    `none`: it is not your turn. `ready`: send `POST /games/{id}/ready`. `one-of`: one of `actions`, as it stands.
    `number`: `verb` and a number from `low` to `high`, as `cut 17`. `cards`: `verb` and `count` different cards of `cards`,
    in any order, as `discard C1 O2`; or all cards of `together` and the rest of `from`; or one of `actions`. `arrange`:
    `arrange` alone leaves the cards as they lie; with all of `cards` after it, they lie in that order.
    """

    kind: Literal["none", "ready", "one-of", "number", "cards", "arrange"]
    verb: str
    actions: list[str]
    low: int
    high: int
    count: int
    cards: list[str]
    together: list[str]
    talk: str = Field(
        description="silent: nothing more; phrases: ids from /talk may follow allow, veto and liber; free: one text in double quotes may, too"
    )


class LineOut(Schema):
    """One thing that happened. `text` is the same as a sentence in your language."""

    number: int = Field(description="the action after which it stands")
    kind: str
    seat: int | None
    hand: int
    cards: list[str]
    verb: str
    phrases: list[str]
    words: str
    count: int
    points: list[int]
    parties: list[list[int]]
    packets: list[int]
    name: str
    other: int | None
    until: str
    then: list[SatOut] = Field(description="who sat where at that moment, for seats that have changed hands")
    text: str


class SheetOut(Schema):
    """One deal on the score sheet."""

    number: int
    dealer: int
    status: str = Field(description="played, thrown-in, passed, open")
    points: list[int] = Field(description="card points of each party of that deal")
    scores: list[int] = Field(description="what it gave each seat")
    open: bool = Field(description="whether its cards may be looked at by now")
    parties: list[list[int]]
    sealed: bool = Field(
        description="other tables have still to play this deal: nobody but those who sit here may see it"
    )


class SealedOut(Schema):
    """The promise about the pack that is dealt."""

    hand: int
    commitment: str
    contributed: list[int]
    lies_ready: bool


class ProposalOut(Schema):
    """Something all people at the table have to agree on: `POST /games/{id}/answer`."""

    what: str = Field(description="pause or live")
    by: int
    until: datetime | None
    mine: bool


class ClockOut(Schema):
    """The clocks of the table; amounts are seconds."""

    kind: str = Field(description="live or days")
    action: int
    bank: int
    weekends: bool
    holidays: str
    vacation: int
    out: str
    zone: str
    seat: int | None
    until: datetime | None = Field(description="when the time of `seat` is out")
    reserve_from: datetime | None
    left: int
    paused_until: datetime | None
    proposal: ProposalOut | None
    live: bool


class GameOut(Schema):
    """A game as you see it: exactly what the page of the table knows. Cards are codes, as in a record."""

    public_id: str
    url: str = Field(description="its page")
    number: int = Field(description="the number of the last action: send it as `expected` when you act")
    status: str = Field(description="playing, finished, resigned, expired")
    kind: str = Field(description="play, guided, practice")
    ruleset: str
    clockwise: bool
    options: dict[str, Option]
    hands: int = Field(description="how many hands the game has")
    hands_played: int
    viewer: int | None = Field(description="your seat; null if you watch")
    created_at: datetime
    parties: list[list[int]] = Field(description="seats that share a total")
    seats: list[SeatOut]
    hand: int = Field(description="deals count from 1")
    dealer: int
    rounds: int
    dealt: int
    question: QuestionOut
    prompt: str = Field(description="what is asked, as a sentence in your language")
    legal: Legal
    cards: list[CardOut] = Field(description="your hand")
    trick: TrickOut | None
    last_trick: TrickOut | None
    trick_count: int
    cut_card: str
    scart: list[str] = Field(description="what you have laid away")
    fool_owed: bool
    totals: list[int]
    sheets: list[SheetOut]
    last_result: SheetOut | None
    sealed: SealedOut | None
    lines: list[LineOut]
    winners: list[int]
    contract: str
    called: str
    tapp: list[str]
    withheld: bool
    rappen: bool
    draws: bool
    clock: ClockOut | None
    undo: UndoOut | None
    memory: str = Field(description="what is shown of the tricks of a running hand: last or all")
    gathered: list[TrickOut] = Field(description="all tricks of this hand, where memory is all")
    coming: SealedOut | None = Field(description="the promise of the deal after this one, where nobody sits down")
    adds_to: int = Field(description="the deal to whose pack you may add chance now (`/chance`); 0 for none")
    shared: str = Field(
        description="other tables play the same deals: `sealed` until all have, then `open`; empty where the packs are its own"
    )


def game_out(seen: Sight, site: str, path: str) -> dict[str, Any]:
    """The view of a game as the API gives it; `site` and `path` are where its page is. For `GameOut`."""
    data = seen.as_json()
    data["url"] = site + path
    data["options"] = dict(seen.options)
    data["prompt"] = table.prompt(seen)
    data["legal"] = legal_of(seen)
    data["lines"] = [
        plain | {"text": log_line(line, seen)} for plain, line in zip(data["lines"], seen.lines, strict=True)
    ]
    return data
