"""What lies or happens where on the table: at each seat since the last lead, and in the Tapp. From the view of one seat alone."""

from __future__ import annotations

from domain.engine import CODES, Action, cards_in
from domain.engine.cards import FOOL
from domain.engine.state import Happening
from domain.engine.view import View
from games.read_models import Happened, TappSeen

_BIDS = ("pass", "take", "solo")
_SAID = ("buob", "buob-sche", "quiet", "keep", "throw-in", *_BIDS)
_ACTED = ("knock", "buob", "tapp-shown")
"""Happenings that an action tells already, or that the Tapp on the table shows."""


def happened_of(view: View) -> tuple[tuple[Happened, ...], ...]:
    """What was called and what came of it, for each seat, since the last lead; before the first one, since the deal began.

    Of a trick that is gathered the winner is told until the next one is led. No card is in it that not everybody saw.
    """
    seats, plays, begin = len(view.counts), 0, 0
    for at, (_, action) in enumerate(view.history):
        if action.verb == "play":
            plays += 1
            begin = at if plays % seats == 1 else begin
    told: list[list[Happened]] = [[] for _ in range(seats)]
    for at, (seat, action) in enumerate(view.history[begin:], begin + 1):
        told[seat] += _of_action(action)
        for event in view.happenings:
            if event.after == at and event.kind not in _ACTED:
                told[event.seat].append(_of_happening(event))
    if plays and len(view.tricks) * seats == plays and (view.over or view.asked == "play"):
        told[view.tricks[-1].winner].insert(0, Happened("trick-won"))
    return tuple(tuple(one) for one in told)


def _of_action(action: Action) -> list[Happened]:
    """What others hear or see of an action beside the cards that lie there. What was laid away is named to nobody."""
    if action.verb == "play":
        found = [Happened(action.signal)] if action.signal else []
        if len(action.cards) == 2:
            found.append(Happened("pair", tuple(CODES[card] for card in action.cards)))
        return [*found, Happened("fool")] if action.cards[0] == FOOL else found
    if action.verb == "take" and action.cards:
        return []  # told by what is taken back
    if action.verb in _SAID:
        return [Happened(action.verb)]
    if action.verb in ("scart", "discard"):
        return [Happened("laid-away")]
    if action.verb == "deal":
        return [Happened("asked-deal", number=action.number)]
    if action.verb == "call":
        return [Happened("partner-called", (CODES[action.cards[0]],))]
    return []


def _of_happening(event: Happening) -> Happened:
    if event.kind.startswith("fool-"):
        return Happened(event.kind)  # which low card is paid is all the same
    return Happened(event.kind, tuple(CODES[card] for card in (event.card, event.back) if card is not None))


def owes(view: View) -> int | None:
    """The seat that played the Fool for which a card is still owed; None if none is."""
    owed = [event.seat for event in view.happenings if event.kind == "fool-owed"]
    return owed[-1] if view.fool_owed else None


def tapp_of(view: View) -> TappSeen | None:
    """The Tapp as it lies there, or what was laid away in its place; None where none does."""
    size = view.ruleset.tapp
    if not size or not view.dealt or view.asked == "discard":
        return None
    laid_away = view.contract == "normal" and any(action.verb == "discard" for _, action in view.history)
    shown = any(event.kind == "tapp-shown" for event in view.happenings)
    lay = (view.scart if laid_away else view.tapp) if shown else 0
    return TappSeen(size, laid_away, tuple(CODES[card] for card in cards_in(lay or 0)))
