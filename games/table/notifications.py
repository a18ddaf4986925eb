"""Notices about games: ringing open pages, and the words of messages.

A message may be read by others on a locked screen, so it names no card. A mail also says what was played since its
reader last looked, which everybody at the table has seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from django.db.models import Max, QuerySet, TextChoices
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player, read_current
from core.prepared_queries import prepared
from core.sursilvan import in_a_row, joined
from domain.pace import Clock, State
from games import broadcast, permissions, projections
from games.chat.selectors import unread, written_since
from games.models import Action, ChatMode, Game, Seat, TableChat, TableWatching, WatchMode
from games.mygames import services as mygames_services
from games.mygames import since
from games.plans import selectors
from games.selectors import rulesets, table
from games.services import agreements
from games.services import seats as directing
from games.text import common
from notices.models import Outbox
from notices.registry import Key, Kind, Lookup, Params, Subject, Words, doer

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as Promised


def ring_list(row: Outbox) -> None:
    """Ring the player's open pages: there is a new notice, such as that it is their turn or that a game has ended."""
    broadcast.ring_player(row.player.public_id)


def find_subject(player: Player, topic: str) -> Subject | None:
    """The game with this public id, if `player` sits in it: "Troccas with Anna and Clau"."""
    seats = _seats_by_game([topic]).get(topic, [])
    if not any(seat.player.current.pk == player.pk for seat in seats):
        return None
    return Subject(_name_of(seats, player), _page(seats[0].game))


_ENDED: Final = {
    str(Game.Status.RESIGNED): gettext_lazy("A player has left, and the game has ended."),
    projections.ENDED: gettext_lazy("All agreed to end it."),
    directing.CALLED_OFF: gettext_lazy("It was ended by the tournament: its time was over, or it was called off."),
    str(Game.Status.EXPIRED): gettext_lazy("Nobody came back to it for a long time, so it was closed."),
}


kinds: Final = {
    "game.turn": Kind.TURN,
    "game.deadline": Kind.DEADLINE,
    "game.remark": Kind.TALK,
    "game.asked": Kind.QUESTION,
    "game.finished": Kind.GAME,
    "game.declined": Kind.GAME,
    "game.paused": Kind.GAME,
    "game.resumed": Kind.GAME,
    "game.timeout": Kind.GAME,
    "game.vacation": Kind.GAME,
    "game.replaced": Kind.GAME,
}
"""Their parameters are `game`, a public id, and those listed at `words`."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether the notice is still true.

    A turn and its reminders are true while it is the player's turn, a question until it is answered, news of a
    seat or a pause while that is so, and everything else for good. Nothing is told where only computer players
    wait, nor in lessons and practice.
    """
    seats = _seats_of(params, player) or []
    if not seats or seats[0].game.kind != Game.Kind.PLAY:
        return False
    game = seats[0].game
    own = {seat.number for seat in seats if seat.player.current.pk == player.pk}
    others = [seat for seat in seats if seat.number not in own and not seat.player.is_computer]
    if event == "game.replaced":
        return not own
    if not own or not others:
        return False
    if event == "game.remark":
        return _is_written(params, player) is not None and unread(game, player) > 0
    if event == "game.finished":
        return True
    if game.status != Game.Status.PLAYING:
        return False
    if event in ("game.turn", "game.deadline"):
        # Not if their plan is about to be carried out, nor if their time has run out, which is acted on later.
        if game.to_act not in own or not _is_this_turn(params, player) or _is_scheduled(params, player):
            return False
        return game.deadline_at is None or game.deadline_at > timezone.now()
    clock = projections.clock_of(game)
    if event == "game.asked" and params.get("what") in _MODES:
        proposed = (_modes_proposed(params, player) or {}).get(params["what"])
        is_here = clock is None or bool(own & set(clock.here()))
        return is_here and proposed == (params.get("mode"), params.get("at"))
    if event == "game.asked":
        return _is_asked(params, game, clock, own) and _is_this_proposal(params, player)
    if event in ("game.declined", "game.paused", "game.resumed"):
        return (clock is not None and clock.paused_until is not None) == (event == "game.paused")
    if event == "game.timeout" and clock is not None:
        missing = {int(params["seat"])} if "seat" in params else own
        return any(clock.seats[number].state is not State.HERE for number in missing)
    return True


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The event in the player's language and time zone.

    Parameters of each event, beside `game`: `game.deadline` has `share` (`half`, `fifth`) and `until`, an ISO
    moment; `game.turn` may have `until`, and `again` if it is a reminder; `game.vacation` has `day`;
    `game.finished` has `status`; `game.timeout` has `by` and their `seat` if another player ran out of time;
    `game.replaced` has `by`, the player who plays there now; `game.declined` has `what`, and who declined it in `by`;
    `game.asked` has `what`, who proposed it in `by`, its `number` in the log, for a pause `until`, and to take
    something back the number of the `move`, about the chat or watching the `mode` and `at` which moment; `game.paused`
    has `until`.
    """
    seats = _seats_of(params, player) or []
    if not seats:
        return None
    game, name = seats[0].game, _name_of(seats, player)
    is_turn = event in ("game.turn", "game.deadline")
    until = _until(params, game, player) if is_turn else common.moment_told(params.get("until"))
    sentences = _title_and_line(event, params, until, game, player)
    if sentences is None:
        return None
    title, line = sentences
    more = partial(_played_since, game, player) if is_turn else None
    by = None if event == "game.paused" else until  # nothing has to be done by then
    proposal = _MODES.get(str(params.get("what"))) if event == "game.asked" else None
    url = _page(game) + (proposal.part if proposal is not None else "")
    return Words(title % {"game": name}, line, url, f"game-{game.public_id}", by, more)


def _title_and_line(
    event: str, params: Params, until: datetime | None, game: Game, player: Player
) -> tuple[str, str] | None:
    """The title, with a placeholder for the game, and the sentence; None for an unknown event."""
    time = common.moment_in_letter(until, player) if until is not None else ""
    named = {"time": time, "day": common.day_told(params.get("day")), "name": doer(params, player)}
    if event == "game.turn" and params.get("again"):
        line = _("It is still your turn, until %(time)s.") if time else _("It is still your turn.")
        return _("Still your turn: %(game)s"), line % named
    if event == "game.turn":
        line = _("It is your turn, until %(time)s.") if time else _("It is your turn.")
        return _("Your turn: %(game)s"), line % named
    if event == "game.deadline":
        half = params.get("share") == "half"
        line = _("Half of your time for this move is over.") if half else _("Most of your time is over.")
        if time:
            reserve = half and game.pace.get("bank")
            left = _("With your reserve you have until %(time)s.") if reserve else _("You have until %(time)s.")
            line = f"{line} {left % named}"
        return _("Still your turn: %(game)s") if half else _("Your time is running out: %(game)s"), line
    if event == "game.vacation":
        line = _("Your time would have been over. A day of your vacation was taken instead.")
        dated = _("Your time would have been over. A day of your vacation was taken instead: %(day)s.")
        return _("On vacation: %(game)s"), dated % named if named["day"] else line
    if event == "game.finished":
        return _("Over: %(game)s"), _ended(str(params.get("status", "")))
    if event == "game.timeout":
        return _missing(params, game, named["name"])
    if event == "game.replaced":
        line = _("%(name)s plays in your seat from now on. You find the game among your finished games.")
        return _("Your seat was taken: %(game)s"), line % named
    if event == "game.asked":
        proposal = _MODES.get(str(params.get("what")))
        named["mode"] = str(dict(proposal.modes.choices).get(str(params.get("mode")), "")) if proposal else ""
        return _("A question to you: %(game)s"), _question(params, until is not None) % named
    if event == "game.declined":
        of_end = params.get("what") == projections.END_DECLINED
        line = (
            _("%(name)s does not agree to end the game: it goes on.")
            if of_end
            else _("%(name)s does not agree to the pause: the game goes on.")
        )
        return _("Declined: %(game)s"), line % named
    if event == "game.paused":
        line = (
            _("All agreed to a pause until %(time)s; nobody’s time runs.")
            if time
            else _("All agreed to a pause; nobody’s time runs.")
        )
        return _("Paused: %(game)s"), line % named
    return {
        "game.resumed": (_("It goes on: %(game)s"), _("The pause is over.")),
        "game.remark": (_("Somebody wrote: %(game)s"), _("There is something new in the chat of the table.")),
    }.get(event)


def _missing(params: Params, game: Game, name: str) -> tuple[str, str]:
    """The words for a time-out: of the reader, or of the player of this name at the seat in `params`."""
    sought = game.seeks
    if "seat" not in params:
        line = (
            _("Somebody else is sought for your seat. Until it is taken you can come back.")
            if sought
            else _("A computer player acts for you until you come back. The seat is still yours.")
        )
        return _("Your time ran out: %(game)s"), line
    line = (
        _("%(name)s has run out of time. Somebody else is sought for the seat.")
        if sought
        else _("%(name)s has run out of time. A computer player acts for the seat, and the game goes on.")
    )
    return _("Somebody is away: %(game)s"), line % {"name": name}


def _ended(status: str) -> str:
    return str(_ENDED.get(status, gettext_lazy("The last hand is counted. See how it ended.")))


def _until(params: Params, game: Game, player: Player) -> datetime | None:
    """The present deadline of the player, while it is the turn of the notice; None while nobody's time runs.

    It may have changed since the notice was written, with more time or a pause. For an earlier turn, or one that was
    missed, it is the deadline in the notice.
    """
    clock = projections.clock_of(game)
    seats = _seats_of(params, player) or []
    own = (seat.number for seat in seats if seat.player.current.pk == player.pk)
    on_turn = next((seat for seat in own if seat == game.to_act), None)
    if clock is None or game.status != Game.Status.PLAYING or on_turn is None or not _is_this_turn(params, player):
        return common.moment_told(params.get("until"))
    if clock.seats[on_turn].state is not State.HERE:
        return common.moment_told(params.get("until"))
    return None if clock.paused_until is not None or clock.live else game.deadline_at


def _is_this_turn(params: Params, player: Player) -> bool:
    """Whether the notice is about the present turn: nobody has made a move since."""
    number = params.get("number")
    return not isinstance(number, int) or (_last_move_of(params, player) or 0) <= number


def _is_asked(params: Params, game: Game, clock: Clock | None, own: set[int]) -> bool:
    """Whether the question still waits for the answer of the player at the seats `own`."""
    what = params.get("what")
    if what == projections.UNDO_PROPOSED:
        undo = projections.undo_proposal_of(game)
        return undo is not None and undo.move == params.get("move") and not own & set(undo.agreed)
    if what == projections.END_PROPOSED:
        end = projections.end_proposal_of(game)
        return end is not None and bool(own & set(projections.consenting_seats(game)) - set(end.agreed))
    proposal = clock.proposal if clock is not None else None
    if clock is None or proposal is None or (proposal.until is not None and proposal.until <= timezone.now()):
        return False
    is_same = str(what or "").partition("-")[0] in ("", proposal.what)
    return is_same and bool(own & set(clock.here()) - set(proposal.agreed))


def _is_this_proposal(params: Params, player: Player) -> bool:
    """Whether the notice is about the latest proposal of its kind."""
    latest = (_proposals_of(params, player) or {}).get(str(params.get("what")))
    return latest is None or params.get("number", latest) == latest


def _question(params: Params, dated: bool) -> str:
    """The question as a sentence, with placeholders for the name of the proposer and the time."""
    proposal = _MODES.get(str(params.get("what")))
    if proposal is not None:
        return joined(" ", [str(proposal.sentence), str(proposal.holds)])
    if params.get("what") == projections.UNDO_PROPOSED:
        return _("%(name)s asks to take something back, and waits for your answer.")
    if params.get("what") == "live-offered":
        return _("%(name)s proposes to continue live now, and waits for your answer.")
    if params.get("what") == projections.END_PROPOSED:
        counts = _("%(name)s proposes to end the game here: the score stands as it is.")
        not_counts = _("%(name)s proposes to end the game here: it does not count.")
        question = counts if params.get("counts") else not_counts
        return joined(" ", [question, _("The game goes on until all have agreed.")])
    if dated:
        return _("%(name)s proposes a pause until %(time)s, and waits for your answer.")
    return _("The others propose something and wait for your answer.")


def _played_since(game: Game, player: Player) -> Sequence[str]:
    """What was played since `player` last looked, from what they may know; empty if the table is closed to them now."""
    if not permissions.may_see(game, player):
        return ()
    return since.played(table.sight_of(game, player), mygames_services.not_seen(game, player))


def _seats_by_game(keys: Collection[Key], player: Player | None = None) -> Mapping[Key, list[Seat]]:
    """The seats of games with their players, by the games' public ids. One query, or two."""
    by_game: dict[Key, list[Seat]] = {}
    if len(keys) == 1:
        rows = _seats_of_game(*map(str, keys))
    else:
        rows = list(Seat.objects.filter(game__public_id__in=keys).order_by().select_related("game", "player"))
    read_current(seat.player for seat in rows)
    for seat in sorted(rows, key=attrgetter("number")):
        by_game.setdefault(seat.game.public_id, []).append(seat)
    return by_game


@prepared
def _seats_of_game(key: str) -> QuerySet[Seat]:
    return Seat.objects.filter(game__public_id=key).order_by().select_related("game", "player")


def _last_moves(keys: Collection[Key], player: Player) -> Mapping[Key, int]:
    """The number of the latest move in each game. One query."""
    if len(keys) == 1:
        (key,) = keys
        latest = _last_move(str(key))
        return {key: latest[0][0]} if latest else {}
    moves = Action.objects.filter(game__public_id__in=keys, kind=Action.Kind.MOVE).order_by()
    return dict(moves.values_list("game__public_id").annotate(Max("number")))


@prepared
def _last_move(key: str) -> QuerySet[Action, tuple[int]]:
    moves = Action.objects.filter(game__public_id=key, kind=Action.Kind.MOVE)
    return moves.order_by("-number").values_list("number")[:1]


def _latest_proposals(keys: Collection[Key], player: Player) -> Mapping[Key, Mapping[str, int]]:
    """The number of the latest proposal of each kind in each game. One query."""
    kinds = ("pause-proposed", "live-offered", projections.END_PROPOSED)
    entries = Action.objects.filter(game__public_id__in=keys, kind=Action.Kind.EVENT, text__in=kinds).order_by()
    latest: dict[Key, dict[str, int]] = {}
    for game, what, number in entries.values_list("game__public_id", "text").annotate(Max("number")):
        latest.setdefault(game, {})[what] = number
    return latest


@dataclass(frozen=True, slots=True)
class _Modes:
    """A proposal about the table: where it is stored, what can be proposed, its words, and the part of the page that
    asks."""

    rows: type[TableChat | TableWatching]
    modes: type[TextChoices]
    sentence: Promised
    holds: Promised
    part: str


_MODES: Final = {
    agreements.CHAT_PROPOSED: _Modes(
        TableChat,
        ChatMode,
        gettext_lazy("%(name)s proposes for the chat: %(mode)s."),
        gettext_lazy("It takes effect when everybody agrees."),
        "#chat",
    ),
    agreements.WATCHING_PROPOSED: _Modes(
        TableWatching,
        WatchMode,
        gettext_lazy("%(name)s proposes who may watch: %(mode)s."),
        gettext_lazy("It holds when everybody has agreed."),
        "#watching",
    ),
}


def _proposed_modes(keys: Collection[Key], player: Player) -> Mapping[Key, Mapping[str, tuple[str, str]]]:
    """What is proposed about each of these tables and `player` has not agreed to: the mode, and when they were last
    asked."""
    asked = Outbox.objects.filter(event="game.asked", player=player, topic__in=keys, params__what__in=list(_MODES))
    last = {(row.topic, row.params["what"]): row.params["at"] for row in asked.order_by("pk")}
    proposed: dict[Key, dict[str, tuple[str, str]]] = {}
    for what, proposal in _MODES.items():
        rows = proposal.rows._default_manager.filter(game__public_id__in=keys).exclude(wish="")
        for game, mode, agreed in rows.values_list("game__public_id", "wish", "agreed"):
            if player.pk not in agreed and (game, what) in last:
                proposed.setdefault(game, {})[what] = (mode, last[game, what])
    return proposed


_modes_proposed: Final = Lookup("game", _proposed_modes)
_seats_of: Final = Lookup("game", _seats_by_game)
_last_move_of: Final = Lookup("game", _last_moves)
_proposals_of: Final = Lookup("game", _latest_proposals)
_is_scheduled: Final = Lookup("game", selectors.scheduled_games)
_is_written: Final = Lookup("game", written_since)


def _name_of(seats: list[Seat], player: Player) -> str:
    """The name of a game for its reader: "Troccas with Anna and Clau"."""
    names = [seat.player.display_name for seat in seats if seat.player.current.pk != player.pk]
    return _("%(game)s with %(names)s") % {
        "game": rulesets.game_name(seats[0].game.ruleset, _("a game")),
        "names": in_a_row(names),
    }


def _page(game: Game) -> str:
    return reverse("games:table", args=[game.public_id])
