"""What one viewer may know of a game, as plain data: the only input of templates, sockets, API and mail.

`games.selectors` makes these values; nothing here can reach a pack or a hand. Cards are codes (`CK`), suits their letters, and
everything said by the game is a code that `games.text` puts into the reader's language.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Why:
    """A rule that forbids something, as the engine names it (`domain.engine.Rule`), with what it speaks of."""

    rule: str
    card: str = ""
    suit: str = ""  # C, O, S, B, or T for the trumps
    number: int = 0
    asked: str = ""
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """One player's words in the talk after round `round` of the deal: verb (allow, veto, liber, go, throw-in)."""

    round: int
    seat: int
    verb: str
    phrases: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One place at the table. `place` counts from the viewer in the order of play: 0 is the viewer's own seat (seat 0
    for a watcher). `tricks` counts those of its side; `face_up` is shown only while it may be seen.

    `side` is -1 while the viewer cannot tell it; `team` is A or B at a table of two sides, else empty. `bid` is what the
    seat has said in the bidding (pass, take, solo); `tappist` plays for the Tapp, `called` is his partner once known."""

    number: int
    place: int
    side: int
    name: str
    player: str  # public id
    computer: bool
    own: bool
    partner: bool
    dealer: bool
    turn: bool
    ready: bool
    tricks: int
    cards: int
    total: int
    face_up: str
    saying: tuple[Said, ...]
    team: str = ""
    bid: str = ""
    tappist: bool = False
    called: bool = False
    away: str = ""  # away: a computer player acts for it; sought: a substitute is asked
    reserve: int | None = None  # seconds, at a table with a clock, for a person
    reliability: str = ""  # new, steady, mostly, rarely; empty without a clock, and for computer players
    page: str = ""  # public id of their page; empty where there is none


@dataclass(frozen=True, slots=True)
class ProposalSeen:
    """Something all people at the table have to agree on: `what` is pause or live. `mine`: the viewer has not yet."""

    what: str
    by: int
    until: datetime | None
    mine: bool


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """The clocks of a table as its viewer reads them. Amounts are seconds; at a table of days a day has 86,400 of them,
    however many hours of it count.

    `kind`: live or days. `seat` is the one whose time passes, `until` when it is out, `reserve_from` when its reserve
    begins to be spent, `left` what is left before that. `live`: played on live at a table of days. `zone` is the
    viewer's time zone.
    """

    kind: str
    action: int
    bank: int
    weekends: bool
    holidays: str
    vacation: int
    out: str
    zone: str
    seat: int | None = None
    until: datetime | None = None
    reserve_from: datetime | None = None
    left: int = 0
    paused_until: datetime | None = None
    proposal: ProposalSeen | None = None
    live: bool = False


@dataclass(frozen=True, slots=True)
class UndoSeen:
    """Something that may be taken back: the action number `move`, a `verb` of the record.

    `by` is the seat that asks for it, and `waits` those that have not answered; None while the viewer, whose action it is,
    may ask. `mine`: the viewer has to answer. `agreed`: the viewer has agreed. `until`: when it lapses without an answer.
    """

    move: int
    verb: str
    by: int | None = None
    waits: tuple[int, ...] = ()
    mine: bool = False
    agreed: bool = False
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card of the viewer's own hand. `playable` means legal now (play, or choice for the scart); `why` says why not,
    while the viewer is asked for cards. `pair` is the companion that may be played with this king, `knock` whether one
    may knock with it, `call` whether the jack may be called with it. `together`: it may be laid away only with all of
    its set."""

    code: str
    suit: str  # C, O, S, B, T, F
    playable: bool
    why: Why | None = None
    pair: str = ""
    knock: bool = False
    call: bool = False
    together: bool = False


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card on the table: whose, and whether it was led (a second card of one seat: the jack beside the king)."""

    seat: int
    place: int
    code: str
    led: bool
    winning: bool


@dataclass(frozen=True, slots=True)
class TrickSeen:
    """A trick, complete or not. `winner` is None while cards are missing; `suit` what has to be followed, or ""."""

    number: int
    suit: str
    cards: tuple[TrickCard, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the viewer may answer now: the action's text as `submit` takes it, and its verb and card for wording (of a
    call only the rank: J or N)."""

    action: str
    verb: str
    card: str = ""
    number: int = 0
    packets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked now, of whom. For the seat asked, the ways to answer; for everyone else only the question.

    `asked`: sit (take your seat / next hand), deal, arrange, cut, packets, talk, free, demand, decide, bid, scart,
    discard, partner, play, call, fool, take, or "" when the game is over. `choices` are the short answers; `most` the highest cut; `choose` how many cards to lay
    away; `pile` the viewer's own tricks to arrange, top first; `talk` what may be said (silent, phrases, free); `calls` the card that is called (J for the jack, N for the
    cavalier).
    """

    asked: str
    seat: int | None
    mine: bool
    choices: tuple[Choice, ...] = ()
    most: int = 0
    choose: int = 0
    pile: tuple[str, ...] = ()
    talk: str = "silent"
    suit: str = ""  # play: the suit to follow; call, fool, take: the suit of the trick
    reason: str = ""  # play: lead, lead-trump, free, follow, called, trump, withhold, no-trump, anything; else ""
    fool: bool = False  # play: the Fool is among the legal cards, beside what is asked for
    calls: str = "J"
    claim: bool = False  # play: the viewer's own cards prove that every trick left is theirs


@dataclass(frozen=True, slots=True)
class Sat:
    """Who sat at a seat at some moment; `present`: the same person as now."""

    seat: int
    name: str
    present: bool
    page: str = ""  # public id of their page; empty where there is none


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, for the log: `number` is the action after which it stands; `kind` is worded by
    `log_line` with the other fields. `name` is given for somebody who does not sit there any more; `other` is a second
    seat, `until` a moment (ISO 8601) or a day; `then` who sat in the seats that have changed hands."""

    number: int
    kind: str
    seat: int | None = None
    hand: int = 0
    cards: tuple[str, ...] = ()
    verb: str = ""
    phrases: tuple[str, ...] = ()
    words: str = ""
    count: int = 0
    points: tuple[int, ...] = ()
    parties: tuple[tuple[int, ...], ...] = ()
    packets: tuple[int, ...] = ()
    name: str = ""
    other: int | None = None
    until: str = ""
    then: tuple[Sat, ...] = ()


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One deal on the score sheet. `points` per party of that deal, `scores` per seat; `open` says whether its replay may
    be seen by now, `sealed` that other tables have still to play it."""

    number: int
    dealer: int
    status: str  # played, thrown-in, passed, open
    points: tuple[int, ...]
    scores: tuple[int, ...]
    open: bool
    parties: tuple[tuple[int, ...], ...] = ()
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """The promise about the pack of the current deal: its commitment, and which seats have added chance of their own."""

    hand: int
    commitment: str
    contributed: tuple[int, ...]
    lies_ready: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """A game as one viewer sees it at action `number`.

    `status`: playing, finished, resigned, expired. `viewer` is the viewer's seat, None for a watcher. `parties` are the
    seats that share a total: the sides of a game with fixed partners, else every seat alone. `hand` counts deals from 1. `last_result` is the result of the deal before while the next waits.
    """

    public_id: str
    number: int
    status: str
    kind: str  # play, guided, practice
    ruleset: str
    clockwise: bool
    options: tuple[tuple[str, Any], ...]
    hands: int  # how many hands the game has
    hands_played: int
    viewer: int | None
    created_at: datetime
    parties: tuple[tuple[int, ...], ...]
    seats: tuple[SeatSeen, ...]
    hand: int
    dealer: int
    rounds: int
    dealt: int
    question: Question
    cards: tuple[CardSeen, ...]
    trick: TrickSeen | None
    last_trick: TrickSeen | None
    trick_count: int  # tricks gathered in this deal
    cut_card: str
    scart: tuple[str, ...]  # the viewer's own, as dealer
    fool_owed: bool
    totals: tuple[int, ...]
    sheets: tuple[HandSheet, ...]
    last_result: HandSheet | None
    sealed: Sealed | None
    lines: tuple[Line, ...] = field(default=())
    winners: tuple[int, ...] = ()
    contract: str = ""  # normal, solo, misere; empty before the bidding is over, and in games without
    called: str = ""  # the trump whose holder is the partner
    tapp: tuple[str, ...] = ()  # the Tapp, for who has taken it up
    withheld: bool = False  # the viewer has withheld the Fool
    rappen: bool = False  # the scores are money
    draws: bool = True  # partners are drawn before the first hand
    memory: str = "last"  # what is shown of the tricks of the hand that is played: last or all
    gathered: tuple[TrickSeen, ...] = ()  # those tricks, where all is shown
    clock: ClockSeen | None = None  # None where nobody is hurried
    coming: Sealed | None = None  # where nobody sits down: the promise of the deal after this one, made already
    adds_to: int = 0  # the deal to whose pack the viewer's browser may add chance now; 0 for none
    undo: UndoSeen | None = None  # what is asked to be taken back, or what the viewer may ask for
    shared: str = (
        ""  # other tables play the same deals: sealed until all have, then open; empty where the packs are its own
    )

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON types (times in ISO 8601)."""
        data: dict[str, Any] = _plain(asdict(self))
        return data


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    return data.isoformat() if isinstance(data, datetime) else data


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat in a replay: everything lies open. `cards` are what it holds at this step."""

    number: int
    place: int
    side: int
    name: str
    computer: bool
    dealer: bool
    turn: bool
    cards: tuple[str, ...]
    points: int  # card points its side has gathered so far, counted singly
    tricks: int
    team: str = ""  # A or B where there are two sides
    tappist: bool = False
    called: bool = False  # the Tappist's partner
    page: str = ""  # public id of their page; empty where there is none


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a finished deal, as the steps of a replay list it."""

    number: int  # 1 …
    lines: tuple[Line, ...]  # what was done, and what everybody then saw
    trick: int  # which trick it belongs to, 0 before the play
    action: int = 0  # its number in the game's log


@dataclass(frozen=True, slots=True)
class TrickPoints:
    """A line of the replay's table: who won trick `number`, its card points counted singly."""

    number: int
    winner: int
    points: int
    step: int  # the step after which it is gathered


@dataclass(frozen=True, slots=True)
class SideCount:
    """How the points of a side came about: the values of its tricks, of the cards laid away if they fell to it, the gain
    or loss by the Fool and the card paid for it; then what is taken off for groups of its `cards`."""

    tricks: int
    scart: int
    fool: int
    cards: int
    taken_off: int
    points: int


@dataclass(frozen=True, slots=True)
class Chance:
    """What one person's browser added to the pack: 16 bytes in hex. `seat` is that of the proof (as people came to the
    table), `name` whose it was."""

    seat: int
    name: str
    own: bool
    entropy: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal at one step (0 = before the first action), all hands open, with its proof. `viewer` is the seat of
    who looks, None for a watcher; `parties` the sides of this deal; `totals` per seat after it."""

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
    count: tuple[SideCount, ...]  # per party, none for a deal that was not played out
    sheet: HandSheet
    totals: tuple[int, ...]
    chance: tuple[Chance, ...]
    proof: dict[str, Any] | None  # as `shuffle.Proof.to_json`, None for a composed deal
    pack: tuple[str, ...]  # as it lay before the cut
    gathered: bool  # a one-round deal: not shuffled but gathered and arranged
    previous: int | None
    following: int | None
    contract: str = ""
    called: str = ""
    tapp: tuple[str, ...] = ()
    rappen: bool = False


@dataclass(frozen=True, slots=True)
class SittingThere:
    """A seat in the list of a game's hands."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The hands of a game, one after the other, with their scores. `parties` are the seats that share a total, `totals` those
    per seat after the last of them; `playing` says that more may follow."""

    public_id: str
    ruleset: str
    viewer: int | None
    seats: tuple[SittingThere, ...]
    parties: tuple[tuple[int, ...], ...]
    sheets: tuple[HandSheet, ...]
    totals: tuple[int, ...]
    rappen: bool
    playing: bool
    played_at: datetime | None
