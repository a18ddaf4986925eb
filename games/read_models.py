"""What one viewer may know of a game, as plain data: the only input of templates, sockets, API and mail.

`games.selectors` makes these values; nothing here can reach a pack or a hand. Cards are codes (`CK`), suits are
letters, and all messages are codes that `games.text` puts into the reader's language. The text with which a field is
`Annotated` becomes its description in the API (`games.api.schemas`), where "you" is the viewer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class Why:
    """A rule that forbids something (`domain.engine.Rule`), with the card, suit and so on that it is about."""

    rule: Annotated[str, "names it for programs"]
    card: Annotated[str, "a card it speaks of, or empty"] = ""
    suit: Annotated[str, "C, O, S, B, T for the trumps, or empty"] = ""
    number: Annotated[int, "a number it speaks of, or 0"] = 0
    asked: Annotated[str, "what is asked instead, as in `question`, or empty"] = ""
    phrase: Annotated[str, "a phrase it speaks of, or empty"] = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What one player said in the talk after round `round` of the deal."""

    round: Annotated[int, "after which round of the deal"]
    seat: Annotated[int, "who said it"]
    verb: Annotated[str, "allow, veto, liber, go, throw-in"]
    phrases: Annotated[tuple[str, ...], "ids of phrases; see /talk"] = ()
    words: Annotated[str, "what was said freely, or empty"] = ""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened at a seat since the last lead, which everybody heard or saw.

    If there are two cards, the second is the one that was taken back, or the companion of the king.
    """

    kind: Annotated[
        str,
        "buob, buob-sche, buob-cavalier, quiet, knock, pair, jack-given, jack-kept, no-jack, jack-back, taken-back, fool, keep, fool-owed, "
        "fool-paid, fool-lost, trick-won; before the first lead asked-deal, throw-in, laid-away, pass, take, solo, must-play, "
        "partner-called; partner-shown, alone-shown",
    ]
    cards: Annotated[
        tuple[str, ...], "the cards it is about; the second is the companion of the king, or what was taken back"
    ] = ()
    number: Annotated[int, "in how many rounds the deal was asked for"] = 0


@dataclass(frozen=True, slots=True)
class TappSeen:
    """The Tapp on the table, face down until the hand is over, or the cards that were discarded in its place."""

    size: Annotated[int, "how many cards"]
    laid_away: Annotated[bool, "they are what was laid away in its place"]
    cards: Annotated[tuple[str, ...], "once the hand is over"] = ()


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat at the table. For a watcher `place` counts from seat 0; `reserve` is set only for people."""

    number: Annotated[int, "seats count in the order of play, from 0"]
    place: Annotated[int, "the same counted from you: 0 is your own seat"]
    side: Annotated[int, "seats with the same number play together; -1 while you cannot tell"]
    name: Annotated[str, "in your language, where it is no name of a person"]
    player: Annotated[str, "public id of the player"]
    computer: Annotated[bool, "a computer player sits there"]
    own: Annotated[bool, "it is yours"]
    partner: Annotated[bool, "they play with you, as far as you can tell"]
    dealer: Annotated[bool, "they deal"]
    turn: Annotated[bool, "they are asked"]
    ready: Annotated[bool, "whether they wait for the next deal already"]
    tricks: Annotated[int, "tricks of their side in this deal, as far as you can tell"]
    cards: Annotated[int, "how many cards they hold"]
    total: Annotated[int, "their score so far"]
    face_up: Annotated[str, "a card that lies face up before them, or empty"]
    saying: tuple[Said, ...]
    team: Annotated[str, "A or B where there are two sides, else empty"] = ""
    bid: Annotated[str, "what they have said in the bidding: pass, take, solo, or empty"] = ""
    tappist: Annotated[bool, "whether they play with the Tapp against the others"] = False
    called: Annotated[bool, "whether they are the called partner, once that is known"] = False
    away: Annotated[str, "away: a computer player acts for them; sought: a substitute is sought; else empty"] = ""
    reserve: Annotated[int | None, "seconds in reserve, where there is a clock"] = None
    reliability: Annotated[str, "new, steady, mostly, rarely; empty without a clock, and for computer players"] = ""
    page: Annotated[str, "public id of their page, or empty"] = ""
    happened: Annotated[tuple[Happened, ...], "what was called here, and what came of it, since the last lead"] = ()
    program: Annotated[bool, "somebody's program plays here, under an account that is marked so"] = False
    level: Annotated[str, "of a computer player: beginner, club or strong; else empty"] = ""
    owes: Annotated[bool, "their side still owes a low card for the Fool, which they played"] = False


@dataclass(frozen=True, slots=True)
class ProposalSeen:
    """A proposal on which all people at the table have to agree: `what` is pause or live.

    `mine`: the viewer has not yet.
    """

    what: Annotated[str, "pause or live"]
    by: Annotated[int, "the seat that proposes it"]
    until: Annotated[datetime | None, "the pause that is proposed ends then; null for live"]
    mine: Annotated[bool, "you have to answer: `POST /games/{id}/answer`"]
    waits: Annotated[tuple[int, ...], "the seats that have not answered"] = ()


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """The clocks of a table as its viewer sees them.

    Amounts are seconds; at a table with days to move, a day always has 86,400 of them, however many hours of it count.
    `seat` is the one whose time is running; `reserve_from` is when it begins to use its reserve, `left` the seconds
    before that. `live`: all play on live at a table with days to move. `zone` is the viewer's time zone; if they have
    chosen none, that of the site.
    """

    kind: Annotated[str, "live or days"]
    action: Annotated[int, "for each move"]
    bank: Annotated[int, "in reserve at first"]
    weekends: Annotated[bool, "whether Saturdays and Sundays count"]
    holidays: Annotated[str, "the canton on whose holidays no time runs, or empty"]
    vacation: Annotated[int, "days of vacation that each may take"]
    out: Annotated[str, "what follows when time runs out: computer or substitute"]
    zone: Annotated[str, "the time zone in which you are told times"]
    refills: Annotated[bool, "the reserve is full again when a deal begins"] = False
    announced: Annotated[bool, "days of announced vacation do not count"] = False
    zone_chosen: Annotated[bool, "whether you have chosen `zone`"] = True
    seat: Annotated[int | None, "whose time is running; null for nobody"] = None
    until: Annotated[datetime | None, "when the time of `seat` is out"] = None
    reserve_from: Annotated[datetime | None, "when that seat begins to use its reserve"] = None
    left: Annotated[int, "how long that is from now"] = 0
    paused_until: Annotated[datetime | None, "while the table pauses: until when"] = None
    proposal: ProposalSeen | None = None
    live: Annotated[bool, "all play on live, at a table with days to move"] = False


@dataclass(frozen=True, slots=True)
class EndSeen:
    """The proposal of seat `by` to end the game (None: nobody proposes it, and the viewer may).

    `counts`: with the present score. `mine`: the viewer has still to answer.
    """

    by: Annotated[int | None, "the seat that proposes it; null: nobody does, and you may"]
    counts: Annotated[bool, "with the score as it stands; else as if the game had not been played"]
    mine: Annotated[bool, "you have to answer: `POST /games/{id}/answer`"]
    waits: Annotated[tuple[int, ...], "the seats that have not answered"] = ()


@dataclass(frozen=True, slots=True)
class UndoSeen:
    """Something that may be taken back: action number `move`, with this `verb`.

    `by` is None if nobody proposes it, and the viewer, whose action it is, may. `agreed`: the viewer has agreed.
    `until`: when the proposal lapses.
    """

    move: Annotated[int, "the number of the action"]
    verb: Annotated[str, "the first word of the action"]
    by: Annotated[int | None, "the seat that asks for it"] = None
    waits: Annotated[tuple[int, ...], "the seats that have not answered"] = ()
    mine: Annotated[bool, "you have to answer: `POST /games/{id}/answer`"] = False
    agreed: Annotated[bool, "you have agreed"] = False
    until: Annotated[datetime | None, "when the proposal lapses"] = None
    at_once: Annotated[bool, "nobody has to agree: asking takes it back, with what computer players did since"] = False


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card of the viewer's own hand. `playable` means legal now, to play or to discard; `why` says why not, while the
    viewer is asked for cards. `knock` and `call`: whether one may knock, or call the jack, with it."""

    code: Annotated[str, "as in GET /cards"]
    suit: Annotated[str, "C, O, S, B, T for the trumps, F for the Fool"]
    playable: Annotated[bool, "it may be played (or laid away) now"]
    why: Why | None = None
    pair: Annotated[str, "the companion that may be played with this king, or empty"] = ""
    knock: Annotated[bool, "you may knock with it"] = False
    call: Annotated[bool, "you may call the jack with it"] = False
    together: Annotated[bool, "it may be laid away only together with all of its set"] = False
    known: Annotated[
        bool, "it was dealt face up: everybody knows that you hold it, until the first trick is gathered"
    ] = False


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card on the table, with its seat, and whether it was led.

    A second card of a seat is the jack beside the king.
    """

    seat: Annotated[int, "who played it"]
    place: Annotated[int, "the same counted from you: 0 is your own seat"]
    code: Annotated[str, "as in GET /cards"]
    led: Annotated[bool, "it was led"]
    winning: Annotated[bool, "it is the highest so far"]


@dataclass(frozen=True, slots=True)
class TrickSeen:
    number: Annotated[int, "counted from 1"]
    suit: Annotated[str, "what has to be followed: C, O, S, B, T, or empty"]
    cards: tuple[TrickCard, ...]
    winner: Annotated[int | None, "the seat that has won it; null while cards are missing"]


@dataclass(frozen=True, slots=True)
class SuitPlayed:
    """The cards of a suit that were seen in this deal, as far as the table remembers them.

    All of them, or those of the last trick and the one on the table; then `unseen` is None.
    """

    suit: Annotated[str, "C, O, S, B, T for the trumps, empty for the Fool"]
    cards: Annotated[tuple[str, ...], "highest first"]
    unseen: Annotated[int | None, "how many are neither played nor in your hand"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer of the viewer: the text of the action for `submit`, and its verb and card for its label.

    For a call, `card` is only the rank: J or N.
    """

    action: str
    verb: str
    card: str = ""
    number: int = 0
    packets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked now, and of whom. The possible answers are included only for the seat that is asked.

    `choices` are the short answers; `most` is the highest cut; `choose` the number of cards to discard; `pile` the
    viewer's own tricks to arrange, top first; `calls` the card that is called (J for the jack, N for the cavalier).
    `reason`, for a play: lead, lead-trump, free, follow, called, trump, withhold, no-trump, anything.
    """

    asked: Annotated[
        str,
        "sit, deal, arrange, cut, packets, talk, free, demand, decide, bid, scart, discard, partner, play, call, fool, take; empty when the game is over",
    ]
    seat: Annotated[int | None, "the seat that is asked; null where all are asked who are not ready"]
    mine: Annotated[bool, "you are asked"]
    choices: tuple[Choice, ...] = ()
    most: int = 0
    choose: int = 0
    pile: tuple[str, ...] = ()
    talk: Annotated[str, "what may be said beside the answer: silent, phrases, free"] = "silent"
    suit: Annotated[str, "the suit to follow, or that of the trick"] = ""
    reason: Annotated[str, "why just these cards may be played"] = ""
    fool: bool = False  # play: the Fool is legal, beside the cards that `reason` names
    calls: str = "J"
    claim: Annotated[bool, "your cards prove that every trick left is yours: you may claim them"] = False


@dataclass(frozen=True, slots=True)
class Sat:
    """Who sat at a seat at some moment; `present`: the same person as now."""

    seat: Annotated[int, "counted from 0"]
    name: Annotated[str, "in your language, where it is no name of a person"]
    present: Annotated[bool, "the same person sits there now"]
    page: Annotated[str, "public id of their page, or empty"] = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: `number` is the action that it follows; `log_line` makes a sentence of `kind` and the
    other fields.

    `name` is set for somebody who does not sit there any more; `other` is a second seat, `until` a moment (ISO 8601)
    or a day; `then` says who sat in the seats that have changed hands.
    """

    number: Annotated[int, "the action after which it stands"]
    kind: Annotated[str, "what happened, for programs"]
    seat: Annotated[int | None, "who it is about, or null"] = None
    hand: Annotated[int, "the deal it is about, or 0"] = 0
    cards: Annotated[tuple[str, ...], "the cards it is about"] = ()
    verb: Annotated[str, "the first word of the action, or empty"] = ""
    phrases: Annotated[tuple[str, ...], "ids of phrases; see /talk"] = ()
    words: Annotated[str, "what was said freely, or empty"] = ""
    count: Annotated[int, "a number it tells, or 0"] = 0
    points: Annotated[tuple[int, ...], "points, in the order of `parties`, or seat by seat"] = ()
    parties: Annotated[tuple[tuple[int, ...], ...], "the seats that `points` are for"] = ()
    packets: Annotated[tuple[int, ...], "how the cards were dealt in packets"] = ()
    name: Annotated[str, "of somebody who does not sit there any more, or empty"] = ""
    other: Annotated[int | None, "a second seat it is about, or null"] = None
    until: Annotated[str, "a moment or a day it tells, or empty"] = ""
    then: Annotated[tuple[Sat, ...], "who sat where at that moment, for seats that have changed hands"] = ()
    stand_in: Annotated[bool, "a computer player did it for somebody who was away"] = False


@dataclass(frozen=True, slots=True)
class HandSheet:
    number: Annotated[int, "which deal of the game it is"]
    ordinal: Annotated[int, "which of the hands that count; 0 for a deal that was thrown in"]
    dealer: Annotated[int, "the seat that dealt"]
    status: Annotated[str, "played, thrown-in, passed, open, unfinished"]
    points: Annotated[tuple[int, ...], "card points of each party of that deal"]
    scores: Annotated[tuple[int, ...], "what it gave each seat"]
    open: Annotated[bool, "whether its cards may be looked at by now"]
    parties: Annotated[tuple[tuple[int, ...], ...], "the seats that `points` are for"] = ()
    sealed: Annotated[bool, "other tables have still to play this deal: nobody but those who sit here may see it"] = (
        False
    )


@dataclass(frozen=True, slots=True)
class SideCount:
    """The count of a side by the rules of its game: tricks, scart, Fool and rest add up to the points."""

    won: Annotated[int, "how many tricks"]
    honours: Annotated[tuple[str, ...], "the cards of five points that it has at the end"]
    tricks: Annotated[int, "what its tricks bring, each counted by itself"]
    scart: Annotated[int, "what the cards laid away bring, if they fell to it"]
    fool: Annotated[int, "gained or lost by the Fool and the card paid for it"]
    rest: Annotated[int, "by how much all its cards together count otherwise than trick by trick"]
    cards: int
    values: Annotated[int, "the values of its cards, counted singly"]
    points: int
    par: Annotated[int | None, "how many points score nothing; null in a game for money or for the points themselves"]


@dataclass(frozen=True, slots=True)
class DealCount:
    """The count of the deal that is just over.

    `scart` and `told` (calls, bids, the Fool) are empty while it is closed; while it is sealed, `scart` has the cards
    that the viewer discarded.
    """

    hand: int
    sides: Annotated[tuple[SideCount, ...], "in the order of the parties of that deal"]
    scart: Annotated[tuple[str, ...], "the cards that were laid away"] = ()
    told: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Sealed:
    """The promise of a pack: its commitment, and which seats have added entropy."""

    hand: Annotated[int, "the deal it is about"]
    commitment: Annotated[str, "the SHA-256 that is shown before anybody adds chance"]
    contributed: Annotated[tuple[int, ...], "the seats that have added chance"]
    lies_ready: Annotated[bool, "the pack is made: no chance can be added any more"]


@dataclass(frozen=True, slots=True)
class Sight:
    """A game as one viewer sees it. `parties` are the sides of a game with fixed partners, otherwise the single seats.
    `last_result` is the result of the previous deal, while the next one waits."""

    public_id: Annotated[str, "names the game in addresses"]
    number: Annotated[int, "the number of the last action: send it as `expected` when you act"]
    status: Annotated[str, "playing, finished, resigned, expired"]
    kind: Annotated[str, "play, guided, practice, computer"]
    ruleset: Annotated[str, "an id of GET /rulesets"]
    clockwise: Annotated[bool, "whether the turn goes round clockwise"]
    options: tuple[tuple[str, Any], ...]
    hands: Annotated[int, "how many hands the game has"]
    hands_played: Annotated[int, "how many of them are over"]
    viewer: Annotated[int | None, "your seat; null if you watch"]
    created_at: Annotated[datetime, "when it was begun"]
    parties: Annotated[tuple[tuple[int, ...], ...], "seats that share a total"]
    seats: tuple[SeatSeen, ...]
    hand: Annotated[int, "deals count from 1"]
    dealer: Annotated[int, "the seat that deals"]
    rounds: Annotated[int, "in how many rounds the cards are dealt"]
    dealt: Annotated[int, "how many of these rounds are dealt"]
    question: Question
    cards: Annotated[tuple[CardSeen, ...], "your hand"]
    trick: TrickSeen | None
    last_trick: TrickSeen | None
    trick_count: Annotated[int, "tricks gathered in this deal"]
    cut_card: Annotated[str, "the card you saw at the cut, until the first trick is gathered; else empty"]
    scart: Annotated[tuple[str, ...], "what you have laid away"]
    fool_owed: Annotated[bool, "a low card is still owed for the Fool, which somebody has played"]
    totals: Annotated[tuple[int, ...], "the score so far, seat by seat"]
    sheets: tuple[HandSheet, ...]
    last_result: HandSheet | None
    sealed: Sealed | None
    lines: tuple[Line, ...] = field(default=())
    winners: Annotated[tuple[int, ...], "the seats that have won, once the game is over"] = ()
    contract: Annotated[str, "normal, solo, misere; empty before the bidding is over, and in games without"] = ""
    called: Annotated[str, "the trump whose holder is the partner of the Tappist, or empty"] = ""
    tapp: Annotated[tuple[str, ...], "the cards of the Tapp, if you have taken it up"] = ()
    withheld: Annotated[bool, "you have withheld the Fool"] = False
    rappen: Annotated[bool, "the scores are money, in Rappen"] = False
    draws: Annotated[bool, "partners are drawn before the first hand"] = True
    drawn: Annotated[bool, "false before that draw: who sits where is not settled yet"] = True
    tapp_seen: Annotated[TappSeen | None, "the Tapp as it lies on the table"] = None
    memory: Annotated[str, "what is shown of the tricks of a running hand: last or all"] = "last"
    level: Annotated[str, "how well computer players play for people who are away: beginner, club or strong"] = (
        "beginner"
    )
    gathered: Annotated[tuple[TrickSeen, ...], "all tricks of this hand, where memory is all"] = ()
    played: Annotated[tuple[SuitPlayed, ...], "while cards are played: suit by suit what was seen played"] = ()
    clock: ClockSeen | None = None  # None for a game without a clock
    coming: Annotated[Sealed | None, "the promise of the deal after this one, where nobody sits down"] = None
    adds_to: Annotated[int, "the deal to whose pack you may add chance now (`/chance`); 0 for none"] = 0
    counted: Annotated[DealCount | None, "how the points of the deal that is just over came together"] = None
    ending: EndSeen | None = None  # the proposal to end the game, or that the viewer may propose it
    undo: UndoSeen | None = None  # the proposal to take back, or what the viewer may propose to take back
    rests: Annotated[bool, "you look at the trick: nothing happens before you go on"] = False
    may_hint: Annotated[
        bool, "you may ask for a hint (`POST /games/{id}/hint`); the hand then counts in no statistics"
    ] = False
    hinted: Annotated[bool, "you have asked for one, about this very question"] = False
    shared: Annotated[
        str, "other tables play the same deals: `sealed` until all have, then `open`; empty where the packs are its own"
    ] = ""
    sayable: Annotated[
        str, "what you may say unasked, whoever's turn it is (`say` and what is said): phrases, free; empty for nothing"
    ] = ""

    def as_json(self) -> dict[str, Any]:
        """The values as plain JSON types, with times in ISO 8601."""
        data: dict[str, Any] = _plain(self)
        return data


def _plain(data: Any) -> Any:
    if hasattr(data, "__dataclass_fields__"):
        return {name: _plain(getattr(data, name)) for name in data.__dataclass_fields__}
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    return data.isoformat() if isinstance(data, datetime) else data


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat in a replay, with its open cards at this step."""

    number: int
    place: int
    side: int
    name: str
    computer: bool
    dealer: bool
    turn: bool
    cards: tuple[str, ...]
    points: int  # of its side so far, by the count of the game
    tricks: int
    team: str = ""  # A or B if there are two sides
    tappist: bool = False
    called: bool = False  # the Tappist's partner
    page: str = ""  # public id of their page; empty if they have none


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a finished deal, as a step of its replay."""

    number: int  # from 1
    lines: tuple[Line, ...]  # the action, and what everybody saw as its result
    trick: int  # the trick it belongs to, 0 before the play
    action: int = 0  # its number in the game's log


@dataclass(frozen=True, slots=True)
class TrickPoints:
    """A row of the replay's table: who won trick `number`, and its points, counted by itself."""

    number: int
    winner: int
    points: int
    step: int  # the step after which it is gathered


@dataclass(frozen=True, slots=True)
class Chance:
    """The entropy from one person's browser: 16 bytes in hex.

    `seat` is that of the proof, in the order of arrival; `name` is that of the person.
    """

    seat: int
    name: str
    own: bool
    entropy: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal at one step (0 = before the first action), with all hands open and its proof.

    `viewer` is the viewer's seat, None for a watcher; `parties` are the sides of this deal; `totals` are those per seat
    after it.
    """

    public_id: str
    hand: int
    ruleset: str
    clockwise: bool
    viewer: int | None
    dealer: int
    step: int
    last_step: int
    steps: tuple[Step, ...]
    seats: tuple[OpenSeat, ...]
    parties: tuple[tuple[int, ...], ...]
    trick: TrickSeen | None
    last_trick: TrickSeen | None
    scart: tuple[str, ...]
    cut_card: str
    tricks: tuple[TrickPoints, ...]
    count: tuple[SideCount, ...]  # per party; empty for a deal that was not played out
    sheet: HandSheet
    totals: tuple[int, ...]
    chance: tuple[Chance, ...]
    proof: dict[str, Any] | None  # as `shuffle.Proof.to_json`, None for a composed deal
    pack: tuple[str, ...]  # before the cut
    gathered: bool  # a one-round deal: gathered and arranged, not shuffled
    previous: int | None
    following: int | None
    contract: str = ""
    called: str = ""
    tapp: tuple[str, ...] = ()
    rappen: bool = False


@dataclass(frozen=True, slots=True)
class SittingThere:
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The hands of a game in order, with their scores.

    `parties` are the seats that share a total; `totals` are those per seat after the last hand; `playing`: more hands
    may follow.
    """

    public_id: str
    ruleset: str
    viewer: int | None
    seats: tuple[SittingThere, ...]
    parties: tuple[tuple[int, ...], ...]
    sheets: tuple[HandSheet, ...]
    totals: tuple[int, ...]
    rappen: bool
    playing: bool
