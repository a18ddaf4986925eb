"""Fair packs, scheme `troccas-shuffle-1`: shuffle in a way that everybody can check afterwards.

The order of events at a table:

1. The server draws a `new_secret` and publishes its `commitment`. From then on it cannot change the secret.
2. Players' browsers, having seen the commitment, may each add 16 random bytes (*entropy*).
3. The pack follows from secret, table, deal, ruleset and entropy (`seed`, `shuffled`), and from nothing else.
4. When the hand is over, or has been thrown in, the `Proof` is published: anyone can `verify` it.

`docs/fair-packs.md` specifies every byte, gives test vectors, and says what this proves and what it does not. Other
implementations of the same specification: `docs/verify_shuffle.py` (stand-alone) and `static/js/verify.js` (browser).

Everything here except `new_secret` is deterministic; only the standard library is used.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

SCHEME: Final = "troccas-shuffle-1"

SECRET_BYTES: Final = 32
ENTROPY_BYTES: Final = 16

# Labels keep the uses of one seed apart: two uses never see the same bytes.
PACK: Final = "pack"  # the pack of a hand
DRAW: Final = "draw"  # the pack from which partners are drawn, before the first deal
TRICKS: Final = "tricks"  # the one-round deal: gathered, not shuffled
CUT: Final = "cut"  # the number of cards lifted, where several tables play the same deal and no player decides it

_RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K")

CANONICAL_78: Final[tuple[str, ...]] = (
    *(suit + rank for suit in "COSB" for rank in _RANKS),
    *(f"T{number}" for number in range(1, 22)),
    "F",
)
"""The order of a Troccas pack before it is shuffled. Part of the scheme; says nothing about rank."""

_NOT_IN_TROGGU = frozenset(
    [suit + rank for suit in "SB" for rank in ("1", "2", "3", "4")]
    + [suit + rank for suit in "CO" for rank in ("7", "8", "9", "10")]
)

CANONICAL_62: Final[tuple[str, ...]] = tuple(card for card in CANONICAL_78 if card not in _NOT_IN_TROGGU)
"""The order of a Troggu pack: without 1–4 of swords and batons and 7–10 of cups and coins (pagat, "Troggu")."""

_CANONICAL: Final[Mapping[int, tuple[str, ...]]] = {78: CANONICAL_78, 62: CANONICAL_62}

# Plain ASCII without quotes, bars or backslashes: then every JSON encoder writes the same message for the seed.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_secret() -> bytes:
    """32 bytes from the operating system's generator. Keep them secret until the hand is over."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes, *, table: str, hand: int) -> str:
    """The commitment, published before anyone acts.

    It is the SHA-256 of ``troccas-shuffle-1|commit|<table>|<hand>|`` followed by the secret, in hex. `table` is the
    game's public id, `hand` the number of the deal at that table (thrown-in deals count too). Raises ValueError if one
    of them is malformed.
    """
    _check_place(secret, table, hand)
    return hashlib.sha256(f"{SCHEME}|commit|{table}|{hand}|".encode("ascii") + secret).hexdigest()


def seed(
    secret: bytes, *, table: str, hand: int, ruleset: str, ruleset_version: int, entropy: Mapping[int, bytes]
) -> bytes:
    """The 32 bytes from which all chance of one deal comes: HMAC-SHA256, keyed by the secret, of the deal's facts.

    `entropy` holds 16 bytes for each seat that contributed; a seat that did not is absent.
    The message is canonical JSON: ASCII, keys sorted, no spaces. Raises ValueError for malformed facts.
    """
    _check_place(secret, table, hand)
    _check_rules(ruleset, ruleset_version)
    for seat, contribution in entropy.items():
        _check_seat(seat)
        if len(contribution) != ENTROPY_BYTES:
            raise ValueError(f"entropy of seat {seat}: {ENTROPY_BYTES} bytes expected, not {len(contribution)}")
    facts = {
        "scheme": SCHEME,
        "table": table,
        "hand": hand,
        "ruleset": ruleset,
        "ruleset_version": ruleset_version,
        "entropy": {str(seat): contribution.hex() for seat, contribution in entropy.items()},
    }
    message = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hmac.digest(secret, message.encode("ascii"), "sha256")


class HmacDrbg:
    """HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2), without reseeding and additional input.

    `seed_material` is entropy input, nonce and personalization string, joined in this order.
    """

    __slots__ = ("_key", "_value")

    MAX_REQUEST: Final = 1 << 16
    """Bytes per `generate` (SP 800-90A, table 2: 2^19 bits)."""

    def __init__(self, seed_material: bytes) -> None:
        self._key = bytes(32)
        self._value = b"\x01" * 32
        self._update(seed_material)

    def generate(self, count: int) -> bytes:
        """The next `count` bytes. One request of 64 bytes differs from two of 32: each request changes the state.

        Raises ValueError unless 0 <= count <= MAX_REQUEST.
        """
        if not 0 <= count <= self.MAX_REQUEST:
            raise ValueError(f"between 0 and {self.MAX_REQUEST} bytes at a time, not {count}")
        blocks = []
        for _ in range(-(-count // 32)):
            self._value = hmac.digest(self._key, self._value, "sha256")
            blocks.append(self._value)
        self._update(b"")
        return b"".join(blocks)[:count]

    def _update(self, provided: bytes) -> None:
        for separator in (b"\x00", b"\x01") if provided else (b"\x00",):
            self._key = hmac.digest(self._key, self._value + separator + provided, "sha256")
            self._value = hmac.digest(self._key, self._value, "sha256")


def shuffled(cards: Sequence[T], seed: bytes, *, label: str = PACK) -> tuple[T, ...]:
    """`cards` in the order given by `seed` and `label`; the input is not changed.

    Fisher–Yates from the last card down. Each position is drawn from one byte of the generator; a byte that would
    favour some cards is skipped. Raises ValueError for more than 256 cards or a seed that is not 32 bytes long.
    """
    if len(cards) > 256:
        raise ValueError(f"at most 256 cards, not {len(cards)}")
    order = list(cards)
    stream = _bytes(seed, label)
    for last in range(len(order) - 1, 0, -1):
        positions = last + 1
        fair = 256 - 256 % positions
        byte = next(stream)
        while byte >= fair:
            byte = next(stream)
        chosen = byte % positions
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def cut(seed: bytes, size: int) -> int:
    """The number of cards lifted at every table of a shared deal: 1 to `size` - 1, all equally likely."""
    return shuffled(range(1, size), seed, label=CUT)[0]


def gathered(piles: Sequence[Sequence[T]], seed: bytes) -> tuple[T, ...]:
    """The pack of a one-round deal: `piles` (tricks and scart, top first) put together, each mixed only within itself.

    Nobody notes in which order the cards of a trick were swept up, so the seed decides that, and nothing else. Source:
    pagat, "The Deal" (in the one-round deal the pack is cut, not shuffled). Pile number i is mixed with the label
    ``tricks|i``.
    """
    return tuple(card for number, pile in enumerate(piles) for card in shuffled(pile, seed, label=f"{TRICKS}|{number}"))


def arranged(pack: Sequence[T], order: Sequence[T]) -> tuple[T, ...]:
    """`pack` after a player of the losing side rearranged his tricks: his cards swap positions, all others stay.

    An empty `order` leaves the pack as gathered. Raises ValueError if `order` repeats a card or names one not in the
    pack.
    """
    mine = set(order)
    if len(mine) != len(order) or not mine <= set(pack):
        raise ValueError("an arrangement names each of its cards once, and only cards of the pack")
    remaining = iter(order)
    return tuple(next(remaining) if card in mine else card for card in pack)


@dataclass(frozen=True, slots=True)
class Proof:
    """All that is needed to check one pack, published when the hand is over. Bytes are lower-case hex.

    `label` is `PACK`, `DRAW`, or `TRICKS` for a one-round deal; only the last has `piles`, as given to `gathered`.
    `cut` is set only for a deal that several tables share: that many cards are lifted at each, and nobody adds entropy.
    Constructing one with malformed parts raises ValueError; `verify` checks whether the parts are *true*.
    """

    scheme: str
    table: str
    hand: int
    ruleset: str
    ruleset_version: int
    commitment: str
    secret: str
    entropy: Mapping[int, str] = field(hash=False)
    label: str = PACK
    piles: tuple[tuple[str, ...], ...] = ()
    cut: int | None = None

    def __post_init__(self) -> None:
        _check_place(_unhex("secret", self.secret, SECRET_BYTES), self.table, self.hand)
        _check_rules(self.ruleset, self.ruleset_version)
        _unhex("commitment", self.commitment, 32)
        for seat, contribution in self.entropy.items():
            _check_seat(seat)
            _unhex(f"entropy of seat {seat}", contribution, ENTROPY_BYTES)
        if self.label not in (PACK, DRAW, TRICKS):
            raise ValueError(f"label: {PACK}, {DRAW} or {TRICKS} expected, not {self.label!r}")
        if bool(self.piles) != (self.label == TRICKS):
            raise ValueError(f"piles belong to the label {TRICKS}, and to no other")
        if self.cut is not None:
            if not 1 <= self.cut < len(CANONICAL_78):
                raise ValueError(f"cut: 1 to {len(CANONICAL_78) - 1} expected, not {self.cut}")
            if self.label != PACK or self.entropy:
                raise ValueError(f"a cut belongs to the label {PACK}, and only without entropy")

    @classmethod
    def of(
        cls,
        secret: bytes,
        *,
        table: str,
        hand: int,
        ruleset: str,
        ruleset_version: int,
        entropy: Mapping[int, bytes],
        label: str = PACK,
        piles: Sequence[Sequence[str]] = (),
        cut: int | None = None,
    ) -> Proof:
        """The proof of the deal with these facts, its commitment computed."""
        return cls(
            scheme=SCHEME,
            table=table,
            hand=hand,
            ruleset=ruleset,
            ruleset_version=ruleset_version,
            commitment=commitment(secret, table=table, hand=hand),
            secret=secret.hex(),
            entropy={seat: contribution.hex() for seat, contribution in sorted(entropy.items())},
            label=label,
            piles=tuple(tuple(pile) for pile in piles),
            cut=cut,
        )

    def seed(self) -> bytes:
        return seed(
            bytes.fromhex(self.secret),
            table=self.table,
            hand=self.hand,
            ruleset=self.ruleset,
            ruleset_version=self.ruleset_version,
            entropy={seat: bytes.fromhex(contribution) for seat, contribution in self.entropy.items()},
        )

    def to_json(self) -> dict[str, Json]:
        """A JSON object, as in a record; `from_json` gives the same proof back.

        `piles` and `cut` only if there are any.
        """
        facts: dict[str, Json] = {
            "scheme": self.scheme,
            "table": self.table,
            "hand": self.hand,
            "ruleset": self.ruleset,
            "ruleset_version": self.ruleset_version,
            "label": self.label,
            "commitment": self.commitment,
            "secret": self.secret,
            "entropy": {str(seat): contribution for seat, contribution in sorted(self.entropy.items())},
        }
        if self.piles:
            facts["piles"] = [" ".join(pile) for pile in self.piles]
        if self.cut is not None:
            facts["cut"] = self.cut
        return facts

    @classmethod
    def from_json(cls, data: object) -> Proof:
        """Read what `to_json` wrote (an object, not its text), ignoring unknown keys. Raises ValueError."""
        if type(data) is not dict:
            raise ValueError("a proof is a JSON object")
        entropy = data.get("entropy", {})
        if type(entropy) is not dict:
            raise ValueError("entropy: an object expected, with seats as keys")
        piles = data.get("piles", [])
        if not isinstance(piles, list) or not all(isinstance(pile, str) for pile in piles):
            raise ValueError("piles: a list of strings expected, each with the cards of one trick")
        return cls(
            scheme=_text(data, "scheme"),
            table=_text(data, "table"),
            hand=_whole(data, "hand"),
            ruleset=_text(data, "ruleset"),
            ruleset_version=_whole(data, "ruleset_version"),
            commitment=_text(data, "commitment"),
            secret=_text(data, "secret"),
            entropy={_seat(key): _text(entropy, key) for key in entropy},
            label=_text(data, "label") if "label" in data else PACK,
            piles=tuple(tuple(pile.split()) for pile in piles),
            cut=_whole(data, "cut") if "cut" in data else None,
        )


def verify(
    proof: Proof, pack: Sequence[str], *, arrangements: Sequence[Sequence[str]] = (), lifted: int | None = None
) -> list[str]:
    """Check `pack` (top first, before the cut) against its proof. Returns the problems, none if all is well.

    `arrangements` are the cards of the hand's `arrange` actions, in order (one-round deal only). `lifted` is the number
    of cards that its `cut` action lifted, which the proof of a shared deal fixes. The codes:

    * ``bad-scheme``: made by a scheme this code does not know; nothing else was checked.
    * ``wrong-commitment``: the secret is not the one that was committed to.
    * ``bad-pack``: not exactly the cards of a Troccas or Troggu pack; the order was not checked.
    * ``bad-arrangement``: the arranged cards are not whole tricks of the pack, or the pack was shuffled.
    * ``wrong-pack``: the secret leads to another order.
    * ``wrong-cut``: in a shared deal, the secret leads to another cut.
    """
    if proof.scheme != SCHEME:
        return ["bad-scheme"]
    problems = []
    secret = bytes.fromhex(proof.secret)
    if commitment(secret, table=proof.table, hand=proof.hand) != proof.commitment:
        problems.append("wrong-commitment")
    canonical = _CANONICAL.get(len(pack), ())
    if Counter(pack) != Counter(canonical):
        return [*problems, "bad-pack"]
    if proof.label == TRICKS:
        expected: tuple[str, ...] = gathered(proof.piles, proof.seed())
    else:
        expected = shuffled(canonical, proof.seed(), label=proof.label)
    for order in arrangements:
        # A player arranges whole tricks. A shuffled pack has no piles, so nothing in it can be arranged.
        mine = Counter(card for pile in proof.piles if not set(pile).isdisjoint(order) for card in pile)
        if Counter(order) != mine or not set(order) <= set(expected):
            return [*problems, "bad-arrangement"]
        expected = arranged(expected, order)
    if expected != tuple(pack):
        problems.append("wrong-pack")
    if proof.cut is not None:
        drawn = cut(proof.seed(), len(pack))
        if proof.cut != drawn or lifted not in (None, drawn):
            problems.append("wrong-cut")
    return problems


def _bytes(seed: bytes, label: str) -> Iterator[int]:
    """The generator's bytes for one use of a seed, in requests of 128 (a pack rarely needs a second one)."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    drbg = HmacDrbg(seed + f"{SCHEME}|{label}".encode("ascii"))
    while True:
        yield from drbg.generate(128)


def _check_place(secret: bytes, table: str, hand: int) -> None:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"secret: {SECRET_BYTES} bytes expected, not {len(secret)}")
    if not _NAME.fullmatch(table):
        raise ValueError(f"table: 1 to 64 letters, digits, hyphens or underscores expected, not {table!r}")
    if hand < 0:
        raise ValueError(f"hand: 0 or more expected, not {hand}")


def _check_rules(ruleset: str, ruleset_version: int) -> None:
    if not _NAME.fullmatch(ruleset):
        raise ValueError(f"ruleset: 1 to 64 letters, digits, hyphens or underscores expected, not {ruleset!r}")
    if ruleset_version < 1:
        raise ValueError(f"ruleset_version: 1 or more expected, not {ruleset_version}")


def _check_seat(seat: int) -> None:
    # One digit, so that sorting seats as numbers and as JSON keys is the same thing.
    if not 0 <= seat <= 9:
        raise ValueError(f"seat: 0 to 9 expected, not {seat}")


def _unhex(name: str, value: str, size: int) -> bytes:
    if not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", value):
        raise ValueError(f"{name}: {2 * size} lower-case hexadecimal digits expected")
    return bytes.fromhex(value)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    if type(value) is not str:
        raise ValueError(f"{key}: a string expected")
    return value


def _whole(data: Mapping[str, object], key: str) -> int:
    value = data.get(key)
    if type(value) is not int:  # a bool is an int to isinstance
        raise ValueError(f"{key}: a whole number expected")
    return value


def _seat(key: object) -> int:
    if not isinstance(key, str) or not re.fullmatch("[0-9]", key):
        raise ValueError(f"entropy: seats 0 to 9 expected as keys, not {key!r}")
    return int(key)
