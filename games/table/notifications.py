"""How notices of games are told: open pages ring, and everything else is put into words here.

A message may be read by others on a locked screen, and a letter on its way: nothing here knows a card.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from accounts.models import Player
from games import broadcast, projections
from games.chat.selectors import unread
from games.conditional import services
from games.lobby import selectors
from games.models import Game, Seat
from games.selectors import rulesets
from games.services import seats as directing
from games.text.common import in_a_row
from notices.models import Outbox
from notices.registry import Key, Kind, Lookup, Params, Subject, Words, who_did_it


def ring_list(row: Outbox) -> None:
    """Ring the player's open pages: it is their turn somewhere, a game has ended, something else is to be read."""
    broadcast.ring_player(row.player.public_id)


def subject(player: Player, topic: str) -> Subject | None:
    """The game with this public id, if `player` sits in it: "Troccas with Anna and Clau"."""
    seats = _seats_by_game([topic]).get(topic, [])
    if not any(seat.player.current.pk == player.pk for seat in seats):
        return None
    return Subject(_called(seats, player), _page(seats[0].game))


class Games:
    """Speaks for the events `game.…`. Their parameters: `game`, a public id, and what is named with each event."""

    kinds: Final = {
        "game.turn": Kind.TURN,
        "game.deadline": Kind.DEADLINE,
        "game.remark": Kind.TALK,
        "game.asked": Kind.GAME,
        "game.finished": Kind.GAME,
        "game.paused": Kind.GAME,
        "game.resumed": Kind.GAME,
        "game.timeout": Kind.GAME,
        "game.vacation": Kind.GAME,
    }

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """A turn and its reminders hold while it is the player's turn, the rest for good.

        Where nobody but computer players waits there is nothing to tell, nor about lessons and practice.
        """
        seats = _seats_of(params, player) or []
        if not seats or seats[0].game.kind != Game.Kind.PLAY:
            return False
        game = seats[0].game
        own = {seat.number for seat in seats if seat.player.current.pk == player.pk}
        others = [seat for seat in seats if seat.number not in own and not seat.player.is_computer]
        if not own or not others:
            return False
        if event == "game.remark":
            return unread(game, player) > 0
        if event in ("game.turn", "game.deadline"):
            # What is about to be played for them needs nobody to come.
            asked = game.status == Game.Status.PLAYING and game.to_act in own
            return asked and not _is_scheduled(params, player)
        if params.get("what") == projections.UNDO_PROPOSED:
            proposal = projections.undo_proposal_of(game)
            return proposal is not None and proposal.move == params.get("move") and not own & set(proposal.agreed)
        return True

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in the player's language and time zone.

        `game.deadline` carries `share` (`half`, `fifth`) and `until`, an ISO moment; `game.turn` may carry `until`;
        `game.vacation` carries `day`; `game.finished` carries `status`; `game.timeout`, `who`, a name, if another ran out of time;
        `game.asked`, `what` and, of somebody who asks to take back, `who` and the number of the `move`.
        """
        seats = _seats_of(params, player) or []
        if not seats:
            return None
        game, called = seats[0].game, _called(seats, player)
        until = _moment(params.get("until"))
        told = self._told(event, params, until)
        if told is None:
            return None
        title, line = told
        return Words(title % {"game": called}, line, _page(game), f"game-{game.public_id}", until)

    def _told(self, event: str, params: Params, until: datetime | None) -> tuple[str, str] | None:
        """Title (with a place for the game) and sentence."""
        named = {"time": _at(until) if until is not None else "", "day": _day(params.get("day"))}
        who = str(params.get("who") or "")
        if event == "game.turn":
            line = _("It is your turn, until %(time)s.") % named if until else _("It is your turn.")
            return _("Your turn: %(game)s"), line
        if event == "game.deadline":
            half = params.get("share") == "half"
            line = _("Half of your time is over.") if half else _("Most of your time is over.")
            if until is not None:
                left = _("You have until %(time)s.") % named
                line = f"{line} {left}"
            return _("Still your turn: %(game)s") if half else _("Your time is running out: %(game)s"), line
        if event == "game.vacation":
            line = _("Your time would have been over. A day of your vacation was taken instead.")
            told = _("Your time would have been over. A day of your vacation was taken instead: %(day)s.")
            return _("On vacation: %(game)s"), told % named if named["day"] else line
        if event == "game.finished":
            return _("Over: %(game)s"), self._ended(str(params.get("status", "")))
        if event == "game.timeout" and who:
            line = _("The time of %(name)s ran out. The game goes on.")
            return _("Somebody is missing: %(game)s"), line % {"name": who}
        if event == "game.asked" and params.get("what") == projections.UNDO_PROPOSED:
            line = _("%(name)s asks to take something back, and waits for your answer.")
            return _("A question to you: %(game)s"), line % {"name": who or _("Somebody")}
        return {
            "game.timeout": (
                _("Your time ran out: %(game)s"),
                _("Somebody plays for you until you come back. The seat is still yours."),
            ),
            "game.resumed": (_("It goes on: %(game)s"), _("The pause is over.")),
            "game.paused": (_("Paused: %(game)s"), _("All agreed to a pause; nobody’s time runs.")),
            "game.asked": (
                _("A question to you: %(game)s"),
                _("The others propose something and wait for your answer."),
            ),
            "game.remark": (_("Somebody wrote: %(game)s"), _("There is something new in the chat of the table.")),
        }.get(event)

    def _ended(self, status: str) -> str:
        return {
            str(Game.Status.RESIGNED): _("A player has left, and the game has ended."),
            directing.CALLED_OFF: _("It was ended by the tournament: its time was over, or it was called off."),
            str(Game.Status.EXPIRED): _("Nobody came back to it for a long time, so it was closed."),
        }.get(status, _("The last hand is counted. See how it ended."))


class Tables:
    """Speaks for the events `table.…`, about tables that have not begun.

    Parameters: `table`, a public id; `url`, its page; `ruleset`; where somebody did it, `by`, their public id, or `who`,
    their name; `until`, an ISO moment, where the table waits only so long.
    """

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return dict.fromkeys(_table_words(), Kind.TABLE)

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """An invitation holds until it is answered or the table's time is over, news for the host while the table waits.

        The rest has happened.
        """
        table = _table(params, player)
        if table is not None and not table.concerns(event, player):
            return False
        until = _waits_until(params, player)
        if event == "table.ending" and until != _moment(params.get("until")):
            return False  # it has been given more time since
        return event not in ("table.invited", "table.ending") or until is None or until > timezone.now()

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in the player's language and time zone."""
        told = _table_words().get(event)
        url = str(params.get("url") or "")
        if told is None or not url.startswith("/") or url.startswith("//"):
            return None
        title, line = told
        until = _waits_until(params, player)
        fields = {
            "game": rulesets.game_name(str(params.get("ruleset") or ""), _("a game")),
            "name": _doer(params, player),
        }
        text = line % fields
        if event in ("table.invited", "table.ending") and until is not None:
            waits = _("The table waits until %(time)s.") % {"time": _at(until)}
            text = f"{text} {waits}"
        return Words(title % fields, text, url, f"table-{params.get('table') or ''}", until)


def _table_words() -> Mapping[str, tuple[str, str]]:
    return {
        "table.invited": (_("An invitation: %(game)s"), _("%(name)s invites you to a table.")),
        "table.joined": (_("Somebody came: %(game)s"), _("%(name)s has sat down at your table.")),
        "table.filled": (_("The table is full: %(game)s"), _("Everybody is there; it can begin.")),
        "table.started": (_("It begins: %(game)s"), _("The game you were waiting for has begun.")),
        "table.ending": (
            _("Not long now: %(game)s"),
            _("Not everybody is there yet. You can let your table wait longer, or begin with computer players."),
        ),
        "table.expired": (
            _("The table was given up: %(game)s"),
            _("Not enough players came in time. Nothing is lost; you can set up a new table."),
        ),
        "table.closed": (_("The table was closed: %(game)s"), _("%(name)s is no longer waiting for players.")),
        "table.removed": (_("Without you: %(game)s"), _("%(name)s has given your seat at the table to others.")),
        "table.declined": (_("Somebody cannot come: %(game)s"), _("%(name)s cannot come to your table.")),
        "table.left": (_("Somebody left: %(game)s"), _("%(name)s is no longer waiting at your table.")),
    }


def _waits_until(params: Params, player: Player) -> datetime | None:
    """Until when the table waits as it stands now: its host may have given it more time since; else as the notice says."""
    table = _table(params, player)
    now = table.waits_until if table is not None else None
    return now or _moment(params.get("until"))


def _doer(params: Params, player: Player) -> str:
    """The name of whoever did it, as they are called now."""
    found = who_did_it(params, player)
    return found.display_name if found is not None else str(params.get("who") or _("Somebody"))


def _seats_by_game(keys: Collection[Key], player: Player | None = None) -> Mapping[Key, list[Seat]]:
    """The seats of games with their players, by the games' public ids, in one query."""
    found: dict[Key, list[Seat]] = {}
    rows = Seat.objects.filter(game__public_id__in=keys).select_related("game", "player__merged_into")
    for seat in rows:
        found.setdefault(seat.game.public_id, []).append(seat)
    return found


_seats_of: Final = Lookup("game", _seats_by_game)
_table: Final = Lookup("table", selectors.tables_as_they_stand)
_is_scheduled: Final = Lookup("game", services.scheduled_games)


def _called(seats: list[Seat], player: Player) -> str:
    """ "Troccas with Anna and Clau", as its reader would say it."""
    names = [seat.player.display_name for seat in seats if seat.player.current.pk != player.pk]
    return _("%(game)s with %(names)s") % {
        "game": rulesets.game_name(seats[0].game.ruleset, _("a game")),
        "names": in_a_row(names),
    }


def _page(game: Game) -> str:
    return reverse("games:table", args=[game.public_id])


def _moment(text: object) -> datetime | None:
    """A moment from a parameter; None if there is none, or it is none."""
    try:
        found = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found is not None and timezone.is_aware(found) else None


def _day(text: object) -> str:
    """A day from a parameter, as it is written in a sentence; empty if there is none."""
    try:
        found = parse_date(text) if isinstance(text, str) else None
    except ValueError:
        return ""
    return formats.date_format(found, "DATE_FORMAT") if found is not None else ""


def _at(moment: datetime) -> str:
    """A moment on the player's clock."""
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")


GAMES: Final = Games()
TABLES: Final = Tables()
