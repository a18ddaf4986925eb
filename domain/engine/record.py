"""The game record, `troccas-record` version 1: reading and writing everything that is needed to replay a game.

The format is described in `docs/record-format.md`. Reading checks the form; `replay` checks every action by the rules.

Also for looking back: the hands of a record as they ended (`hands_of`), and a hand after any number of actions
(`rewound`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from domain.engine.actions import SAY, Action, MalformedAction, parse_line
from domain.engine.cards import CODES, Card, cards_of, set_of
from domain.engine.errors import IllegalAction
from domain.engine.hand import Hand
from domain.engine.match import Match
from domain.engine.ruleset import OptionError, OptionValue, Ruleset
from domain.engine.rulesets import RULESETS, UnknownRuleset, ruleset

FORMAT: Final = "troccas-record"
VERSION: Final = 1
_KNOWN_KEYS: Final = frozenset(
    ("format", "version", "ruleset", "ruleset_version", "options", "players", "hands", "events", "proof")
)
_SEATS: Final = (*(str(seat) for seat in range(9)), "nobody")  # indexed by `turn`, which is -1 when the hand is over
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


class RecordError(ValueError):
    """The record cannot be read or is illegal; `str()` is one clear line, with hand and action counted from 1.

    For messages in the reader's language: `code` names the error; `hand`, `place` and `text` are the hand, the number
    of the action and its text (0 and empty if the error is not about one); `what` is the thing at fault (a card, an
    option, a number of players); `why` is the underlying error of the rules or of the form.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        *,
        hand: int = 0,
        place: int = 0,
        text: str = "",
        what: str = "",
        why: ValueError | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.hand = hand
        self.place = place
        self.text = text
        self.what = what
        self.why = why


class PackError(ValueError):
    """A line of cards is not a whole pack: `kind` is unknown, double, foreign or missing; `card` is its code."""

    def __init__(self, message: str, kind: str, card: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.card = card


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand of a record: its dealer, the pack before the cut (top first) and the actions as text."""

    dealer: int
    pack: tuple[Card, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is exported and imported. `events`, `proof` and unknown keys (`extra`) are kept unchanged."""

    ruleset: Ruleset
    options: Mapping[str, OptionValue]
    players: tuple[str, ...]
    hands: tuple[RecordedHand, ...]
    events: Json = None
    proof: Json = None
    extra: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The record as a JSON object; only options that differ from the ruleset's defaults are written."""
        defaults = self.ruleset.settled_options({})
        written: dict[str, Json] = {
            "format": FORMAT,
            "version": VERSION,
            "ruleset": self.ruleset.id,
            "ruleset_version": self.ruleset.version,
            "options": {name: value for name, value in self.options.items() if value != defaults[name]},
            "players": list(self.players),
            "hands": [
                {
                    "dealer": hand.dealer,
                    "pack": " ".join(CODES[card] for card in hand.pack),
                    "actions": list(hand.actions),
                }
                for hand in self.hands
            ],
        }
        if self.events is not None:
            written["events"] = self.events
        if self.proof is not None:
            written["proof"] = self.proof
        written.update(self.extra)
        return written


def parse_record(text: str | bytes) -> Record:
    """The record in a JSON text. Raises RecordError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}", "json") from None
    return record_from(data)


def record_from(data: object) -> Record:
    """The record in a decoded JSON object. Raises RecordError; unknown top-level keys are kept and ignored."""
    if not isinstance(data, dict):
        raise RecordError("a record is one JSON object", "object")
    if data.get("format") != FORMAT:
        raise RecordError(f"unknown format: {data.get('format')!r}", "format")
    if type(data.get("version")) is not int or data["version"] != VERSION:  # type(), because True is an int
        raise RecordError(f"unknown version: {data.get('version')!r}", "version")
    rules = _ruleset_from(data)
    options = _options_from(data, rules)
    players = _players_from(data, rules)
    if len(players) != rules.seats:
        rules = ruleset(rules.id, rules.version, len(players))
        options = _options_from(data, rules)
    hands = data.get("hands")
    if not isinstance(hands, list):
        raise RecordError("hands are a list", "hands")
    return Record(
        ruleset=rules,
        options=options,
        players=players,
        hands=tuple(_hand_from(rules, number, hand) for number, hand in enumerate(hands, 1)),
        events=data.get("events"),
        proof=data.get("proof"),
        extra={key: value for key, value in data.items() if key not in _KNOWN_KEYS},
    )


def _ruleset_from(data: Mapping[str, object]) -> Ruleset:
    """The ruleset of a record, for its usual number of players."""
    name, version = data.get("ruleset"), data.get("ruleset_version", 1)
    if not isinstance(name, str):
        raise RecordError(f"unknown ruleset: {name!r}", "ruleset")
    try:
        ruleset(name)
    except UnknownRuleset as error:
        raise RecordError(str(error), "ruleset", what=name) from None
    if type(version) is not int or (name, version) not in RULESETS:
        raise RecordError(f"ruleset {name} has no version {version!r}", "ruleset-version", what=name)
    return ruleset(name, version)


def _options_from(data: Mapping[str, object], rules: Ruleset) -> Mapping[str, OptionValue]:
    """The value of every option: that of the record, or the default."""
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RecordError("options are one JSON object", "options")
    try:
        return rules.settled_options(options)
    except OptionError as error:
        raise RecordError(str(error), "option", what=error.name) from None


def _players_from(data: Mapping[str, object], rules: Ruleset) -> tuple[str, ...]:
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise RecordError("players are a list of names", "players")
    if len(players) not in rules.sizes:
        allowed = " or ".join(map(str, rules.sizes))
        message = f"{rules.id} has {allowed} players, the record names {len(players)}"
        raise RecordError(message, "size", what=str(len(players)))
    return tuple(players)


def _hand_from(rules: Ruleset, number: int, data: object) -> RecordedHand:
    where = f"hand {number}"
    if not isinstance(data, dict):
        raise RecordError(f"{where}: a hand is one JSON object", "hand", hand=number)
    dealer, pack, actions = data.get("dealer"), data.get("pack"), data.get("actions")
    if type(dealer) is not int or not 0 <= dealer < rules.seats:
        raise RecordError(f"{where}: the dealer is a seat from 0 to {rules.seats - 1}", "dealer", hand=number)
    if not isinstance(pack, str):
        raise RecordError(f"{where}: the pack is a line of cards", "pack", hand=number)
    try:
        cards = parse_pack(pack, rules)
    except PackError as error:
        raise RecordError(f"{where}: {error}", "pack", hand=number, what=error.card, why=error) from None
    if not isinstance(actions, list) or not set(map(type, actions)) <= {str}:
        raise RecordError(f"{where}: actions are a list of texts", "actions", hand=number)
    return RecordedHand(dealer, cards, tuple(actions))


def parse_pack(text: str, rules: Ruleset) -> tuple[Card, ...]:
    """The cards of a pack written as codes, top first. Raises PackError naming a missing, double or unknown card."""
    codes = text.split()
    try:
        cards = cards_of(codes)
    except ValueError as error:
        strange = next(code for code in codes if code not in CODES)
        raise PackError(str(error), "unknown", strange) from None
    if len(cards) == rules.pack.bit_count() and set_of(cards) == rules.pack:
        return cards
    seen = 0
    for card in cards:
        if seen >> card & 1:
            raise PackError(f"{CODES[card]} lies twice in the pack", "double", CODES[card])
        seen |= 1 << card
    odd = (seen ^ rules.pack) & -(seen ^ rules.pack)
    code = CODES[odd.bit_length() - 1]
    if seen & odd:
        raise PackError(f"{code} does not belong to the pack", "foreign", code)
    raise PackError(f"{code} is missing in the pack", "missing", code)


@dataclass(frozen=True, slots=True)
class Decision:
    """A moment of a replay: in `hand` the player at `seat` is about to do `action` (None at the end of an open hand).

    `seat` is on turn, or says something unasked.
    """

    match: Match
    hand: Hand
    action: Action | None
    seat: int


class _WrongSeat(ValueError):
    """A seat acts that is not on turn; `turn` is the seat that is, -1 after the end."""

    def __init__(self, turn: int) -> None:
        super().__init__("the hand is over" if turn < 0 else f"seat {turn} is to act")
        self.turn = turn


def decisions(record: Record) -> Iterator[Decision]:
    """Replay a record step by step: each decision is yielded before its action is applied.

    Raises RecordError at the first illegal action; the decisions yielded before it are valid.
    """
    return _replayed(record, _match(record))


def _replayed(record: Record, match: Match) -> Iterator[Decision]:
    for number, recorded in enumerate(record.hands, 1):
        hand = _start(match, number, recorded)
        for place, text in enumerate(recorded.actions, 1):
            try:
                seat, action = parse_line(text)
                speaks = action.verb == SAY and seat in _SEATS[: hand.seats]
                if seat != _SEATS[hand.turn] and not speaks:
                    raise _WrongSeat(hand.turn)
                acting = int(seat) if speaks else hand.turn
                yield Decision(match, hand, action, acting)
                match.push_of(acting, action)
            except (MalformedAction, _WrongSeat, IllegalAction) as error:
                raise _illegal(number, place, text, error) from None
        if not hand.over:
            yield Decision(match, hand, None, hand.turn)


def replay(record: Record) -> Match:
    """Replay a whole record by the rules and return the match at its end. Raises RecordError."""
    match = _match(record)
    for _ in _replayed(record, match):
        pass
    return match


def _match(record: Record) -> Match:
    return Match(record.ruleset, record.options, dealer=record.hands[0].dealer if record.hands else 0)


def _start(match: Match, number: int, recorded: RecordedHand) -> Hand:
    if match.hand is not None and not match.hand.over:
        raise RecordError(f"hand {number - 1}: the actions end before the hand does", "short", hand=number - 1)
    if match.over:
        raise RecordError(f"hand {number}: the game is over", "over", hand=number)
    if recorded.dealer != match.dealer:
        message = f"hand {number}: seat {match.dealer} deals, not {recorded.dealer}"
        raise RecordError(message, "deals", hand=number, what=str(match.dealer))
    return match.deal(recorded.pack)


def _illegal(number: int, place: int, text: str, why: ValueError) -> RecordError:
    message = f'hand {number}, action {place} "{text}": {why}'
    code = "rule" if isinstance(why, IllegalAction) else "form"
    what = ""
    if isinstance(why, _WrongSeat):
        code, what = ("ended", "") if why.turn < 0 else ("seat", str(why.turn))
    return RecordError(message, code, hand=number, place=place, text=text, what=what, why=why)


def replayed(record: Record, *, legal: bool = False) -> dict[str, Json]:
    """The result of a replay as `manage.py replay --json` prints it; with `legal`, every decision's legal actions."""
    hands: list[Json] = []
    totals: Sequence[int] = [0] * record.ruleset.seats
    current: Hand | None = None
    asked: list[Json] = []
    for decision in decisions(record):
        if decision.hand is not current:
            if current is not None:
                hands.append(_summary(current, asked, legal=legal))
            current, asked = decision.hand, []
        totals = decision.match.totals
        if legal and decision.action is not None:
            unasked = decision.action.verb == SAY
            asked.append({"seat": decision.seat, "legal": [SAY] if unasked else _json(decision.hand)})
    if current is not None:
        hands.append(_summary(current, asked, legal=legal))
    return {"ruleset": record.ruleset.id, "hands": hands, "totals": list(totals)}


def _json(hand: Hand) -> Json:
    described = hand.legal.described()
    if isinstance(described, list):
        return list(described)
    return {key: list(value) if isinstance(value, list) else value for key, value in described.items()}


def _summary(hand: Hand, asked: list[Json], *, legal: bool) -> Json:
    result = hand.result
    summary: dict[str, Json] = {"status": "unfinished" if result is None else result.status}
    if legal:
        summary["decisions"] = asked
    if result is None:
        summary["to_act"] = hand.turn
    elif result.status == "played":
        summary["sides"] = [list(party) for party in result.parties]
        summary["points"] = list(result.points)
        summary["scores"] = list(result.scores)
        summary["tricks"] = list(result.winners)
    elif result.status == "passed":
        summary["scores"] = list(result.scores)
    return summary


_DEMANDS = ("deal", "arrange")


def hands_of(record: Record) -> list[Hand]:
    """Every hand of a record after its last action. Raises RecordError at the first illegal action."""
    hands: list[Hand] = []
    for decision in decisions(record):
        if not hands or decision.hand is not hands[-1]:
            hands.append(decision.hand)
    return hands


def rewound(hand: Hand, pack: Sequence[Card] | None, step: int) -> Hand:
    """A copy of `hand` after its first `step` actions; `pack` is the pack before the cut."""
    back = Hand(hand.ruleset, hand.dealer, pack, options=hand.option, running=hand.running, gathered=hand.gathered)
    for seat, action in hand.history[:step]:
        back.push_of(seat, action)
    return back


def needed_for(record: Record, number: int) -> tuple[RecordedHand, ...]:
    """The hands that are needed to replay hand `number` (from 1).

    That is the hand alone, unless the losing side demanded another deal, which depends on the score and the cards of
    the hands before.
    """
    hand = record.hands[number - 1]
    demanded = any(line.split(" ")[1:2] and line.split(" ")[1] in _DEMANDS for line in hand.actions)
    return record.hands[:number] if demanded else (hand,)
