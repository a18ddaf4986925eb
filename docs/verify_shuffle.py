#!/usr/bin/env python3
"""Check the packs of an exported game, without trusting the site that exported it.

    python3 verify_shuffle.py RECORD.json [RECORD.json …]

Needs Python 3.10 or newer and nothing else. Every hand that carries a proof is dealt again from its secret and compared;
`fair-packs.md`, beside this file, explains each step. Compare the commitments printed here with those you saw at the
table before the hand began: a proof that fits a commitment you never saw proves nothing.

Exit status: 0 every proof holds, 1 one does not, 2 there was nothing to check or a file could not be read.
This file shares no code with the site on purpose. You may copy it freely.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

SCHEME = "troccas-shuffle-1"
RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"]
PACK_78 = [suit + rank for suit in "COSB" for rank in RANKS] + [f"T{n}" for n in range(1, 22)] + ["F"]
ABSENT = {s + r for s in "SB" for r in "1234"} | {s + r for s in "CO" for r in ("7", "8", "9", "10")}
PACK_62 = [card for card in PACK_78 if card not in ABSENT]


def sha256_hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def commitment(proof: dict[str, Any]) -> str:
    """Step 1: what the site showed before the hand."""
    place = f"{SCHEME}|commit|{proof['table']}|{proof['hand']}|"
    return hashlib.sha256(place.encode("ascii") + bytes.fromhex(proof["secret"])).hexdigest()


def seed(proof: dict[str, Any]) -> bytes:
    """Step 2: secret, players' contributions and the facts of the deal become 32 bytes."""
    facts = {key: proof[key] for key in ("scheme", "table", "hand", "ruleset", "ruleset_version", "entropy")}
    message = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return sha256_hmac(bytes.fromhex(proof["secret"]), message.encode("ascii"))


def random_bytes(seed_material: bytes) -> Iterator[int]:
    """Step 3: HMAC_DRBG with SHA-256 (NIST SP 800-90A), asked for 128 bytes at a time, one by one."""
    key, value = bytes(32), b"\x01" * 32
    for separator in (b"\x00", b"\x01"):
        key = sha256_hmac(key, value + separator + seed_material)
        value = sha256_hmac(key, value)
    while True:
        request = b""
        while len(request) < 128:
            value = sha256_hmac(key, value)
            request += value
        key = sha256_hmac(key, value + b"\x00")
        value = sha256_hmac(key, value)
        yield from request


def shuffled(cards: Sequence[str], seed_bytes: bytes, label: str) -> list[str]:
    """Step 4: Fisher–Yates from the last card down; bytes that would favour a place are thrown away."""
    order = list(cards)
    stream = random_bytes(seed_bytes + f"{SCHEME}|{label}".encode("ascii"))
    for places in range(len(order), 1, -1):
        byte = next(stream)
        while byte >= 256 - 256 % places:
            byte = next(stream)
        i, j = places - 1, byte % places
        order[i], order[j] = order[j], order[i]
    return order


def expected_pack(proof: dict[str, Any], size: int, arrangements: list[list[str]]) -> list[str]:
    """The pack that must have lain on the table. Raises ValueError if an arrangement is impossible."""
    label = proof.get("label", "pack")
    if label in ("pack", "draw"):
        cards = shuffled(PACK_78 if size == 78 else PACK_62, seed(proof), label)
    elif label == "tricks":
        cards = []
        for number, pile in enumerate(proof["piles"]):
            cards += shuffled(pile.split(), seed(proof), f"tricks|{number}")
    else:
        raise ValueError(f"unknown label {label!r}")
    for order in arrangements:
        piles = [pile.split() for pile in proof.get("piles", [])]
        whole_tricks = [card for pile in piles if set(pile) & set(order) for card in pile]
        if sorted(order) != sorted(whole_tricks):
            raise ValueError("a player arranged cards that are not whole tricks")
        following = iter(order)
        cards = [next(following) if card in order else card for card in cards]
    return cards


def problems(
    proof: dict[str, Any], pack: list[str], arrangements: list[list[str]], lifted: int | None = None
) -> list[str]:
    """What is wrong with one pack and, where tables share a deal, with its cut, in words; an empty list if nothing is."""
    if proof["scheme"] != SCHEME:
        return [f"it was made by the scheme {proof['scheme']!r}, which this script does not know"]
    found = []
    if commitment(proof) != proof["commitment"]:
        found.append("the secret is not the one that was committed to")
    if sorted(pack) not in (sorted(PACK_78), sorted(PACK_62)):
        return [*found, "the pack is not complete, or a card is in it twice"]
    try:
        if expected_pack(proof, len(pack), arrangements) != pack:
            found.append("the secret leads to another pack than the one that was dealt")
    except ValueError as error:
        found.append(str(error))
    if "cut" in proof:
        if proof["entropy"] or proof.get("label", "pack") != "pack":
            found.append("nobody adds chance to a deal that tables share, and it is shuffled")
        drawn = shuffled([str(number) for number in range(1, len(pack))], seed(proof), "cut")[0]
        if str(proof["cut"]) != drawn or lifted not in (None, int(drawn)):
            found.append("the secret leads to another cut than the one that was made")
    return found


def dealt(record: dict[str, Any]) -> Iterator[tuple[str, Any, list[str], list[list[str]], int | None]]:
    """(name, proof, pack, arrangements, cards lifted) of everything in a record that was dealt; proof is None without one."""
    if "draw" in record:
        yield "draw for partners", record["draw"].get("proof"), record["draw"]["pack"].split(), [], None
    proofs = record.get("proof") or [None] * len(record["hands"])
    for number, (hand, proof) in enumerate(zip(record["hands"], proofs, strict=True), 1):
        words = [action.split() for action in hand["actions"]]
        arrangements = [action[2:] for action in words if action[1] == "arrange" and action[2:]]
        lifted = next((int(action[2]) for action in words if action[1] == "cut" and action[2:]), None)
        yield f"hand {number}", proof, hand["pack"].split(), arrangements, lifted


def check(path: str) -> tuple[int, int]:
    """Print a line or more for each pack in the file. Returns how many were checked, and how many of them failed."""
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    checked = failed = 0
    seen: dict[str, str] = {}
    for name, proof, pack, arrangements, lifted in dealt(record):
        if proof is None:
            print(f"{path}: {name}: no proof (nothing to check)")
            continue
        checked += 1
        found = problems(proof, pack, arrangements, lifted)
        failed += bool(found)
        print(f"{path}: {name}: {'; '.join(found) or 'fair'}")
        print(f"    commitment {proof['commitment']}")
        for seat, given in sorted(proof["entropy"].items()):
            earlier = f" (the same as in {seen[given]}: it adds nothing new)" if given in seen else ""
            print(f"    seat {seat} contributed {given}{earlier}")
            seen.setdefault(given, name)
        if "cut" in proof:
            print(
                f"    several tables play this deal: {proof['cut']} cards lifted at each; only the commitment bound the server"
            )
        elif not proof["entropy"]:
            print("    no player contributed: only the commitment and the cut bound the server")
    return checked, failed


def main(paths: list[str]) -> int:
    """Check all files; returns the exit status."""
    if not paths:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    total = wrong = 0
    for path in paths:
        try:
            checked, failed = check(path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            reason = f"{type(error).__name__}: {error}"
            print(f"{path}: cannot be read as a game record ({reason})", file=sys.stderr)
            return 2
        total, wrong = total + checked, wrong + failed
    print(f"packs checked: {total}, of them wrong: {wrong}")
    return 1 if wrong else 0 if total else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
