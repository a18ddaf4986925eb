"""Troccas for four once more, as plainly as the rules text puts it: the engine is held against this, ply by ply.

Written from docs/rules.md alone, with cards as strings and sets of strings, and with the course of a hand as one generator
that asks (`yield`) and is answered. It shares no line and no idea of representation with the engine, is slow, and tells
nothing to anybody but the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field

TRUMPS = [f"T{number}" for number in range(1, 22)]
ROUND_SUITS = ["K", "Q", "N", "J", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
LONG_SUITS = ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
RANKS = {"C": ROUND_SUITS, "O": ROUND_SUITS, "S": LONG_SUITS, "B": LONG_SUITS}
PACK = [suit + rank for suit, ranks in RANKS.items() for rank in ranks] + TRUMPS + ["F"]
HONOURS = {"F", "T21", "T1", "CK", "OK", "SK", "BK"}
ROUNDS = {3: [6, 6, 7], 2: [9, 10], 1: [19]}


def suit_of(card: str) -> str:
    """`C`, `O`, `S`, `B`, `T` for trumps, `F` for the Fool."""
    return card[0]


def value(card: str) -> int:
    if card in HONOURS:
        return 5
    if suit_of(card) in RANKS:
        return {"Q": 4, "N": 3, "J": 2}.get(card[1:], 1)
    return 1


def is_low(card: str) -> bool:
    return value(card) == 1


def suit_led(cards: Iterable[str]) -> str | None:
    """The suit to follow: that of the first card that is not the Fool."""
    return next((suit_of(card) for card in cards if card != "F"), None)


def may_play(held: set[str], led: str | None) -> set[str]:
    if led is None:
        return set(held)
    same = {card for card in held if suit_of(card) == led}
    trumps = {card for card in held if suit_of(card) == "T"}
    return (same or trumps or held) | (held & {"F"})


def trick_winner(trick: list[tuple[int, str]]) -> int:
    """The seat whose card takes the trick."""
    cards = [card for _, card in trick]
    trumps = [card for card in cards if suit_of(card) == "T"]
    if trumps:
        best = max(trumps, key=TRUMPS.index)
    else:
        led = suit_led(cards)
        assert led is not None
        best = min((card for card in cards if suit_of(card) == led), key=lambda card: RANKS[led].index(card[1:]))
    return next(seat for seat, card in trick if card == best)


@dataclass
class Question:
    """What is asked, of whom, and what may be answered: as records list it, and as a test of any text."""

    seat: int
    listed: object
    allows: Callable[[str], bool]
    kind: str


@dataclass
class Outcome:
    status: str
    points: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    # By seat, the cards of the tricks lying there, the Fool's trick still as it was played; for the one-round deal.
    piles: dict[int, list[str]] = field(default_factory=dict)
    # Who gets a card for the Fool, and of which cards: (the trick's winner, candidates).
    fool_debt: tuple[int, set[str]] | None = None


def ask(seat: int, kind: str, *answers: str) -> Question:
    return Question(seat, sorted(answers), lambda text: text in answers, kind)


def ask_order(seat: int, pile: list[str]) -> Question:
    """Whether a losing player arranges his cards: nothing, or each of them once."""

    def allows(text: str) -> bool:
        verb, *order = text.split()
        return verb == "arrange" and (not order or sorted(order) == sorted(pile))

    return Question(seat, ["arrange"], allows, "arrange")


def ask_cut(seat: int) -> Question:
    return Question(seat, ["cut 1..77"], lambda text: text in [f"cut {lifted}" for lifted in range(1, 78)], "cut")


def ask_talk(seat: int, talk: str, phrases: Iterable[str], *verbs: str) -> Question:
    known = set(phrases)

    def allows(text: str) -> bool:
        verb, _, said = text.partition(" ")
        if verb not in verbs:
            return False
        if '"' in said:
            return talk == "free" and set(said[: said.index('"')].split()) <= known
        return not said or (talk != "silent" and set(said.split()) <= known)

    return Question(seat, sorted(verbs), allows, "talk")


class ReferenceHand:
    """One hand. `question` is what is open, `answer` goes on, `outcome` stands when nothing is asked any more."""

    def __init__(
        self,
        dealer: int,
        pack: list[str],
        options: Mapping[str, object],
        running: list[int],
        piles: dict[int, list[str]] | None,
        phrases: Iterable[str],
    ) -> None:
        self.dealer = dealer
        self.pack = pack
        self.options = options
        self.running = running
        self.piles_before = piles
        self.phrases = list(phrases)
        self.hands: dict[int, set[str]] = {seat: set() for seat in range(4)}
        self.face_up: dict[int, str] = {}
        self.outcome: Outcome | None = None
        self.course = self._course()
        self.question: Question | None = next(self.course)

    def answer(self, text: str) -> None:
        try:
            self.question = self.course.send(text)
        except StopIteration as end:
            self.question = None
            self.outcome = end.value

    def right(self, steps: int) -> int:
        return (self.dealer + steps) % 4

    def _course(self) -> Generator[Question, str, Outcome]:
        rounds = 3
        losers = [self.right(step) for step in (1, 2, 3, 4) if self.running[self.right(step)] <= -9]
        if self.options["demands"]:
            for seat in losers:
                answers = ["deal 3", "deal 2"] + (["deal 1"] if self.running[seat] <= -18 else [])
                rounds = int((yield ask(seat, "deal", *answers))[-1])
                if rounds != 3:
                    break
        if rounds == 1 and self.piles_before is not None:
            for seat in losers:
                yield ask_order(seat, self.piles_before.get(seat, []))
        lifted = int((yield ask_cut(self.right(3))).split()[1])
        stock = self.pack[lifted:] + self.pack[:lifted]

        vetoed = False
        for number, batch in enumerate(ROUNDS[rounds], 1):
            last = number == len(ROUNDS[rounds])
            for step in (1, 2, 3, 4):
                size = batch + 2 if last and step == 4 else batch
                packet, stock = stock[:size], stock[size:]
                self.hands[self.right(step)] |= set(packet)
                if last:
                    self.face_up[self.right(step)] = packet[-1]
            if self.options["throw_in"]:
                verdict = yield from self._interval()
                if verdict == "throw-in":
                    return Outcome("thrown-in")
                vetoed = verdict == "veto"

        mine = self.hands[self.dealer]
        free = sorted(card for card in mine if card not in HONOURS)
        no_trumps = vetoed and not any(suit_of(card) == "T" for card in mine)
        listed: dict[str, object] = {"choose": 2, "from": free}
        if no_trumps:
            listed["or"] = ["throw-in"]

        def allows(text: str) -> bool:
            verb, *cards = text.split()
            if verb == "throw-in":
                return no_trumps and not cards
            return verb == "scart" and len(cards) == len(set(cards)) == 2 and set(cards) <= set(free)

        answer = yield Question(self.dealer, listed, allows, "scart")
        if answer == "throw-in":
            return Outcome("thrown-in")
        scart = set(answer.split()[1:])
        mine -= scart
        return (yield from self._play(scart))

    def _interval(self) -> Generator[Question, str, str]:
        """One tschintschar: `veto`, `go` or `throw-in`."""
        talk = str(self.options["talk"])
        for step in (1, 2):
            said = yield ask_talk(self.right(step), talk, self.phrases, "allow", "veto")
            if said.split()[0] == "veto":
                return "veto"
        said = yield ask_talk(self.right(3), talk, self.phrases, "liber", "veto")
        if said.split()[0] == "veto":
            return "veto"
        return (yield ask(self.dealer, "talk", "go", "throw-in"))

    def _play(self, scart: set[str]) -> Generator[Question, str, Outcome]:
        leader = self.right(1)
        led_before: set[str] = set()
        gone: set[str] = set()  # cards in tricks that have been gathered
        won: list[set[str]] = [set(), set()]  # by side: even seats, odd seats
        tricks: list[int] = []
        piles: dict[int, list[str]] = {seat: [] for seat in range(4)}
        creditor: int | None = None  # who won the trick with the other side's Fool, while nothing has been paid
        debt: tuple[int, set[str]] | None = None
        while self.hands[leader]:
            trick: list[tuple[int, str]] = []
            jacks_beside: dict[int, str] = {}  # of king and jack together
            for step in range(4):
                seat = (leader + step) % 4
                text = yield self._ask_card(seat, [card for _, card in trick], led_before, gone)
                cards = [card for card in text.split()[1:] if card != "knock"]
                self.hands[seat] -= set(cards)
                trick.append((seat, cards[0]))
                if len(cards) == 2:
                    jacks_beside[seat] = cards[1]
            winner = trick_winner(trick)
            led = suit_led(card for _, card in trick)
            assert led is not None
            first = led in RANKS and led not in led_before
            if first and jacks_beside:
                yield from self._take_back(trick, jacks_beside, led)
            elif first:
                yield from self._call(trick, winner, led, gone)
            led_before.add(led)

            cards = [card for _, card in trick]
            gone |= set(cards)
            tricks.append(winner)
            piles[winner] += cards
            won[winner % 2] |= set(cards)
            fools = [seat for seat, card in trick if card == "F"]
            if fools and fools[0] % 2 != winner % 2:
                won[winner % 2].remove("F")
                won[fools[0] % 2].add("F")
                creditor = winner
            if creditor is not None:
                low = {card for card in won[1 - creditor % 2] if is_low(card)}
                if low:
                    debt = (creditor, low)
                    self._pay(won, creditor, min(low))
                    creditor = None
            leader = winner

        if creditor is not None:
            side = 1 - creditor % 2
            if any(seat % 2 == side for seat in tricks):
                others = won[side] - {"F"}
                cheapest = min(value(card) for card in others)
                least = {card for card in others if value(card) == cheapest}
                debt = (creditor, least)
                self._pay(won, creditor, min(least))
            else:
                self._pay(won, creditor, "F")
        takers = {seat % 2 for seat in tricks}
        won[takers.pop() if len(takers) == 1 else self.dealer % 2] |= scart
        points = [count(cards) for cards in won]
        scores = [points[seat % 2] - 36 for seat in range(4)]
        return Outcome("played", points, scores, tricks, piles, debt)

    @staticmethod
    def _pay(won: list[set[str]], creditor: int, card: str) -> None:
        won[1 - creditor % 2].remove(card)
        won[creditor % 2].add(card)

    def _ask_card(self, seat: int, lying: list[str], led_before: set[str], gone: set[str]) -> Question:
        held = self.hands[seat]
        led = suit_led(lying)
        single = may_play(held, led)
        pairs = [
            f"play {suit}K {suit}J"
            for suit in RANKS
            if {suit + "K", suit + "J"} <= held and suit not in led_before and led in (None, suit)
        ]
        singles = [f"play {card}" for card in single]
        still_out = [card for card in TRUMPS if card not in gone]
        knocks: list[str] = []
        if self.options["knock"] and still_out and still_out[-1] in held:
            if led == "T":
                knocks = [f"play {card} knock" for card in single]
            elif led is None:
                knocks = [f"play {card} knock" for card in single if suit_of(card) == "T"]
        return Question(seat, sorted(singles + pairs), lambda text: text in [*singles, *pairs, *knocks], "play")

    def _take_back(
        self, trick: list[tuple[int, str]], jacks_beside: dict[int, str], led: str
    ) -> Generator[Question, str, None]:
        ((seat, jack),) = jacks_beside.items()
        numerals = [
            card
            for other, card in trick
            if other != seat and suit_of(card) == led and card[1:] not in ("K", "Q", "N", "J")
        ]
        if not numerals:
            self.hands[seat].add(jack)
            return
        card = (yield ask(seat, "take", *(f"take {card}" for card in numerals))).split()[1]
        self.hands[seat].add(card)
        trick[:] = [lying for lying in trick if lying[1] != card] + [(seat, jack)]

    def _call(
        self, trick: list[tuple[int, str]], winner: int, led: str, gone: set[str]
    ) -> Generator[Question, str, None]:
        played = dict(trick)
        king, jack = led + "K", led + "J"
        if king not in played.values() or jack in played.values() or jack in gone:
            return
        call = yield ask(winner, "call", "buob", "buob-sche", "quiet")
        if call == "quiet":
            return
        holder = next((seat for seat in range(4) if jack in self.hands[seat]), None)
        if holder is not None and played[holder] not in (king, "F"):
            if call == "buob-sche" and played[holder] in (led + "Q", led + "N"):
                return
            self._exchange(trick, holder, jack)
            return
        for seat, card in trick:
            if card == "F":
                answers = ["give", "keep"] if seat == holder else ["keep"]
                if (yield ask(seat, "fool", *answers)) == "give":
                    self._exchange(trick, seat, jack)
                return

    def _exchange(self, trick: list[tuple[int, str]], seat: int, jack: str) -> None:
        place = [other for other, _ in trick].index(seat)
        self.hands[seat].remove(jack)
        self.hands[seat].add(trick[place][1])
        trick[place] = (seat, jack)


def count(cards: set[str]) -> int:
    """The points of a side: values, less 3 for each full group of four, less 1 for the two cards left over."""
    groups, rest = divmod(len(cards), 4)
    assert rest in (0, 2)
    return sum(map(value, cards)) - 3 * groups - (1 if rest else 0)
