"""A game in a list, in the reader's language. It only uses the game's projections, which name no card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import in_a_row
from domain.pace import State
from games import projections
from games.models import Game, Seat
from games.read_models import Question
from games.selectors import rulesets
from games.text import common, log
from games.text.common import signed
from games.text.table import asked_of_other

_TITLES: Final = {
    Game.Kind.GUIDED: gettext_lazy("Lesson with %(names)s"),
    Game.Kind.PRACTICE: gettext_lazy("Practice with %(names)s"),
}


def title(game: Game, table: Sequence[Seat], own: int | None) -> str:
    """ "Troccas with Anna, Beat and Clau"."""
    names = in_a_row([seat.player.display_name for seat in table if seat.number != own])
    template = str(_TITLES.get(Game.Kind(game.kind), gettext_lazy("%(game)s with %(names)s")))
    return template % {"names": names, "game": rulesets.game_name(game.ruleset, game.ruleset)}


_ASKED: Final = {
    "deal": gettext_lazy("In how many rounds shall the cards be dealt?"),
    "arrange": gettext_lazy("Arrange the cards of your tricks, or leave them as they lie."),
    "cut": gettext_lazy("Cut the pack."),
    "packets": gettext_lazy("You deal: in which packets?"),
    "talk": gettext_lazy("Speak: may the cards be thrown in?"),
    "free": gettext_lazy("Speak: liber or veto?"),
    "demand": gettext_lazy("Shall the cards be thrown in?"),
    "decide": gettext_lazy("Liber: go on with these cards, or throw them in?"),
    "bid": gettext_lazy("Bid: pass, or play?"),
    "scart": gettext_lazy("You dealt: lay cards away."),
    "discard": gettext_lazy("You took up the Tapp: lay cards away."),
    "partner": gettext_lazy("Which trump shall your partner hold?"),
    "play": gettext_lazy("Play a card."),
    "call": gettext_lazy("You won a king: call for its companion?"),
    "fool": gettext_lazy("What about your Fool?"),
    "take": gettext_lazy("Take a card back."),
    projections.GO_ON: gettext_lazy("Look at the trick, then go on."),
}


def asked_of_you(game: Game) -> str:
    """What the player is asked, in a few words."""
    proposal = projections.undo_proposal_of(game)
    if proposal is not None:
        return log.undo_in_short(proposal.verb)
    if game.asked == "sit":
        return _("Sit down for the next hand.") if game.hand_number > 1 else _("Take your seat to begin.")
    return str(_ASKED.get(game.asked, gettext_lazy("It is your turn.")))


def proposal_of(game: Game, table: Sequence[Seat], own: int, zone: str) -> str:
    """The open proposal at the table: by whom, until when, and whether the player has yet to answer; empty if none."""
    clock = projections.clock_of(game)
    end = projections.end_proposal_of(game)
    if end is not None:
        here = clock.here() if clock is not None else [seat.number for seat in table if not seat.player.is_computer]
        if own in end.agreed or own not in here:
            return _("A proposal to end the game is open; not everybody has answered yet.")
        name = {"name": table[end.by].player.display_name}
        if end.counts:
            return _("%(name)s proposes to end the game here: the score stands as it is.") % name
        return _("%(name)s proposes to end the game here: it does not count.") % name
    proposal = clock.proposal if clock is not None else None
    if clock is None or proposal is None or proposal.until is None or proposal.until <= timezone.now():
        return ""
    fields = {"name": table[proposal.by].player.display_name, "when": common.moment_to_come(proposal.until, zone)}
    if own in proposal.agreed or own not in clock.here():
        if proposal.what == "live":
            return _("A proposal to continue live is open; not everybody has answered yet.") % fields
        return _("A pause until %(when)s is proposed; not everybody has answered yet.") % fields
    if proposal.what == "live":
        return _("%(name)s proposes to continue live. Answer by %(when)s.") % fields
    return _("%(name)s proposes a pause until %(when)s: do you agree?") % fields


def asked_of_others(game: Game, table: Sequence[Seat], own: int) -> str:
    """What the game waits for while the player has nothing to do."""
    clock = projections.clock_of(game)
    if clock is not None and clock.paused_until is not None:
        return _("The game is paused.")
    if clock is not None and clock.seats and clock.seats[own].state is State.AWAY:
        return _("A computer player acts for you until you come back.")
    if clock is not None and clock.seats and clock.seats[own].state is State.SOUGHT:
        return _("Somebody else is sought for your seat. Until it is taken you can come back.")
    if game.to_act is None:
        return _not_begun(game, table)
    if game.undo:
        return _("The others are asked whether something may be taken back.")
    name = table[game.to_act].player.display_name
    if clock is not None and clock.seats and clock.seats[game.to_act].state is State.SOUGHT:
        return _("A substitute is sought for the seat of %(name)s.") % {"name": name}
    return asked_of_other(Question(game.asked, game.to_act, mine=False), name)


def _not_begun(game: Game, table: Sequence[Seat]) -> str:
    if game.pace:
        return common.begins_by_itself(game.hand_number)
    names = [seat.player.display_name for seat in table if game.waits_for_seat(seat.number)]
    return _("Waiting for %(names)s to sit down.") % {"names": in_a_row(names)}


def time_left(game: Game, zone: str) -> str:
    """ "until tomorrow 20:00"; empty if no clock is running and nobody has to answer."""
    proposal = projections.undo_proposal_of(game)
    if proposal is not None:
        return common.until(proposal.until, zone)
    if game.deadline_at is None or game.clock.get("live"):
        return ""
    return common.until(game.deadline_at, zone)


def hand_of(game: Game) -> str:
    hands = int(game.options.get("hands", 0))
    return _("Hand %(number)d of %(hands)d") % {"number": min(game.hands_played + 1, hands), "hands": hands}


def hands_played(game: Game) -> str:
    return ngettext("%(hands)d hand", "%(hands)d hands", game.hands_played) % {"hands": game.hands_played}


def total_of(game: Game, seat: int) -> str:
    """The total of a seat with its sign, in Rappen if the game is played for money."""
    score = signed(game.totals[seat]) if seat < len(game.totals) else ""
    return _("%(score)s Rappen") % {"score": score} if "stake" in game.options else score


_RESULTS: Final = {
    "won": gettext_lazy("won"),
    "lost": gettext_lazy("lost"),
    "draw": gettext_lazy("drawn"),
    "left": gettext_lazy("ended early: a player left"),
    "ended": gettext_lazy("ended by consent: it does not count"),
    "closed": gettext_lazy("closed: nobody came back"),
}


def result_of(game: Game, seat: int) -> str:
    """The result of a finished game for a seat, in a few words."""
    return str(_RESULTS[result_key(game.status, game.totals, seat)])


UNFINISHED: Final = ("left", "ended", "closed")
"""The results of games that ended before the last deal was counted."""


def result_key(status: str, totals: Sequence[int], seat: int) -> str:
    """`won`, `lost`, `draw`, `left`, `ended` or `closed`. Whoever shares the highest total has won, unless all do."""
    if status != Game.Status.FINISHED:
        return {Game.Status.RESIGNED: "left", Game.Status.ENDED: "ended"}.get(Game.Status(status), "closed")
    best = max(totals)
    if best == min(totals):
        return "draw"
    return "won" if totals[seat] == best else "lost"
