"""The till of a tournament: what each entrant is to pay and has paid, and the books. Amounts in Rappen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from clubs.evening.state import GONE, HERE, MERGED, Entrant, State
from clubs.standings.till import Books, Entry, books


def whose(state: State, who: str) -> str:
    """The entrant whose money this is now: of who became half of a pair, the pair."""
    entrant = state.entrants.get(who)
    return entrant.merged_into if entrant is not None and entrant.status == MERGED else who


def entries(state: State) -> list[Entry]:
    """All entries, cancelled ones too, in the order in which they were made."""
    return [replace(each, who=whose(state, each.who)) for each in state.money]


def paid(state: State) -> dict[str, int]:
    """What each entrant has paid, less what was given back."""
    found: dict[str, int] = defaultdict(int)
    for each in entries(state):
        if each.id not in state.money_cancelled and each.kind in ("fee", "refund"):
            found[each.who] += each.amount if each.kind == "fee" else -each.amount
    return dict(found)


def due(entrant: Entrant, so_far: int) -> int:
    """What an entrant is to pay: the fee once they were here; who is only expected owes nothing yet, and keeps what they
    have paid beforehand; who does not come gets it back."""
    if entrant.status in (HERE, GONE):
        return entrant.fee
    return min(entrant.fee, max(so_far, 0)) if entrant.status == "expected" else 0


def owed(state: State) -> dict[str, int]:
    """Entrant -> what they still owe (positive) or are to get back (negative); who has nothing open is left out."""
    so_far = paid(state)
    left = {
        entrant.id: due(entrant, so_far.get(entrant.id, 0)) - so_far.get(entrant.id, 0)
        for entrant in state.entrants.values()
        if entrant.status != MERGED
    }
    return {who: amount for who, amount in left.items() if amount}


def books_of(state: State, prizes: Mapping[str, int] | None = None) -> Books:
    """The books as they stand; with `prizes`, what each entrant is to get, also what of them is still to be handed over."""
    so_far = paid(state)
    fees = {each.id: due(each, so_far.get(each.id, 0)) for each in state.entrants.values() if each.status != MERGED}
    return books(
        state.opening,
        entries(state),
        tuple(state.money_cancelled),
        fees,
        prizes,
        state.counted,
    )
