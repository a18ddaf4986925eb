"""Codes that open something without an account: a place at a table, the entrance, the big screen, a person's page.

A code is a name and a proof, `1-3-7-0-k2m4p6q8rw`. The proof is derived from the tournament's own secret, so nothing
needs to be stored. A code expires with its generation: by a new draw, by a new table, or when the director renews it.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from accounts.models import PUBLIC_ID_ALPHABET
from domain.tournament.state import State
from tournaments.models import Tournament

PROOF_LENGTH: Final = 10
"""From an alphabet of 27 letters and digits that cannot be confused: 47 bits."""
CODE_DIGITS: Final = 4
DOOR: Final = "door"
SCREEN: Final = "screen"
ARRIVE: Final = "arrive"
HALL: Final = (DOOR, SCREEN, ARRIVE)
"""A helper at the entrance, the big screen, and the sheet at the entrance by which people say that they are here."""


@dataclass(frozen=True, slots=True)
class Place:
    """A side of a table as a code names it: the table's key and the first place of the side."""

    table: str
    place: int


def table_code(tournament: Tournament, state: State, table: str, place: int) -> str:
    """The code that opens the side of `place`; on slips, with the first place of the side.

    It changes with a new draw, or if the table is renewed.
    """
    round = state.round(table.rpartition(".")[0])
    found = state.table(table)
    assert round is not None
    assert found is not None
    name = f"{table.replace('.', '-')}-{place}"
    return f"{name}-{_proof(tournament, f'table|{name}|{_draw_of(state, table)}|{found.key}')}"


def read_table(tournament: Tournament, state: State, code: str) -> Place | None:
    """The place that a code opens; None if the code is wrong or has expired."""
    name = code.rpartition("-")[0]
    parts = name.split("-")
    if len(parts) != 4 or not all(part.isdecimal() and len(part) < 5 for part in parts):
        return None
    table, place = ".".join(parts[:3]), int(parts[3])
    found = state.table(table)
    if found is None or place >= len(found.people):
        return None
    expected = table_code(tournament, state, table, place)
    return Place(table, place) if hmac.compare_digest(expected, code) else None


def confirm_codes(tournament: Tournament, state: State, table: str) -> dict[int, str]:
    """The four digits with which each side confirms on another side's phone, by the first place of the side.

    No two sides of a table have the same digits, because those of one would then also confirm for the other.
    """
    found = state.table(table)
    assert found is not None
    codes: dict[int, str] = {}
    for side in found.sides:
        place = min(side)
        code = table_code(tournament, state, table, place)
        digits = _digits(tournament, f"confirm|{code}")
        again = 0
        while digits in codes.values():
            again += 1
            digits = _digits(tournament, f"confirm|{code}|{again}")
        codes[place] = digits
    return codes


def hall_code(tournament: Tournament, state: State, what: str) -> str:
    """The code for helpers, the screen or the entrance."""
    return f"{what}-{_proof(tournament, f'hall|{what}|{state.keys.get(what, 0)}')}"


def read_hall(tournament: Tournament, state: State, code: str) -> str | None:
    """What a code of the hall opens: one of `HALL`; None if the code is wrong or was renewed."""
    what = code.partition("-")[0]
    if what not in HALL or not hmac.compare_digest(hall_code(tournament, state, what), code):
        return None
    return what


def person_code(tournament: Tournament, member: str) -> str:
    """The code of a person's own page, from the public id of their entry."""
    return f"{member}-{_proof(tournament, f'person|{member}')}"


def read_person(tournament: Tournament, code: str) -> str | None:
    """The person whose own page a code opens; None if it is wrong."""
    member = code.rpartition("-")[0]
    return member if hmac.compare_digest(person_code(tournament, member), code) else None


def look_code(tournament: Tournament, member: str) -> str:
    """The code by which anybody in the hall may see a person's seat and rank.

    It does not let them act for the person.
    """
    return f"{member}-{_proof(tournament, f'look|{member}')}"


def arrival_code(tournament: Tournament, member: str) -> str:
    """The code of the page that welcomes a person at the entrance and says what they pay.

    It lets nobody act for them.
    """
    return f"{member}-{_proof(tournament, f'arrival|{member}')}"


def read_arrival(tournament: Tournament, code: str) -> str | None:
    """The person of an `arrival_code`; None if it is wrong."""
    member = code.rpartition("-")[0]
    return member if hmac.compare_digest(arrival_code(tournament, member), code) else None


def read_look(tournament: Tournament, code: str) -> str | None:
    """The person of a `look_code`; None if it is wrong."""
    member = code.rpartition("-")[0]
    return member if hmac.compare_digest(look_code(tournament, member), code) else None


def _draw_of(state: State, table: str) -> str:
    """How often draws of this round were undone, which distinguishes the current draw from earlier ones."""
    phase, number, _ = table.split(".")
    found = state.phase(int(phase))
    if found is None:
        return ""
    return str(len([each for each in found.undone if each.get("round") == int(number)]))


def _digits(tournament: Tournament, text: str) -> str:
    number = int.from_bytes(_mac(tournament, text)[:8], "big") % 10**CODE_DIGITS
    return f"{number:0{CODE_DIGITS}}"


def _mac(tournament: Tournament, text: str) -> bytes:
    return hmac.new(bytes(tournament.key_secret), text.encode(), hashlib.sha256).digest()


def _proof(tournament: Tournament, text: str) -> str:
    number = int.from_bytes(_mac(tournament, text), "big")
    letters = []
    for _letter in range(PROOF_LENGTH):
        number, index = divmod(number, len(PUBLIC_ID_ALPHABET))
        letters.append(PUBLIC_ID_ALPHABET[index])
    return "".join(letters)
