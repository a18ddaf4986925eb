"""What was decided in a tournament, from the rows of its log, put together with what its games brought, from theirs.

Of the tournament's log only decisions count here: who came and went, draws, games laid, forfeits, corrections. What a table
brought is worked out from the log of its game; that the tournament reports the same is what is to be judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.models import Game
from tests.tournaments.leagues.counting import Field, Round, Sheet
from tests.tournaments.leagues.replay import Replay
from tournaments.models import Tournament, TournamentEvent

SIDES = ((0, 2), (1, 3))


@dataclass
class Books:
    """Kept beside the site. `players` says for whom somebody plays, by the key of the player, as they entered."""

    tournament: Tournament
    duplicate: bool
    deals: int
    players: dict[int, str] = field(default_factory=dict)
    replays: dict[str, Replay] = field(default_factory=dict)
    people: Field = field(default_factory=Field)
    rounds: list[Round] = field(default_factory=list)
    reported: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """What the tournament has written down of each table, by its key: every report, in order."""
    begun: dict[str, list[str]] = field(default_factory=dict)
    """The games that were laid for each table."""
    events: list[TournamentEvent] = field(default_factory=list)
    lots: list[list[str]] = field(default_factory=list)
    closed: bool = False
    sat: set[str] = field(default_factory=set)

    def replay(self, public_id: str) -> Replay:
        """A game, read as far as it is written."""
        if public_id not in self.replays:
            self.replays[public_id] = Replay(Game.objects.get(public_id=public_id))
        return self.replays[public_id].read()

    def read(self) -> Books:
        """Everything anew, but for the games, which are read on."""
        self.people, self.rounds, self.lots, self.closed = Field(), [], [], False
        self.reported, self.begun, self.sat = {}, {}, set()
        self.events = list(TournamentEvent.objects.filter(tournament=self.tournament).order_by("number"))
        assert [each.number for each in self.events] == list(range(1, len(self.events) + 1)), "the log has gaps"
        self._entrants = 0
        self._drafts: dict[str, Mapping[str, Any]] = {}
        for event in self.events:
            getattr(self, "_" + event.kind.replace(".", "_").replace("-", "_"), _nothing)(event.data)
        for turn in self.rounds:
            for sheet in turn.sheets.values():
                self._play(sheet)
            if self.duplicate:
                # A deal counts once it is open, and the sheet of a table once all of its deals are.
                done = all(not sheet.game or self.replay(sheet.game).over for sheet in turn.sheets.values())
                for sheet in turn.sheets.values():
                    sheet.counts = sheet.counts and (done or sheet.key in self._settled or bool(sheet.forfeit))
        return self

    def sheet(self, key: str) -> Sheet:
        """A table by its key."""
        return self._sheets[key]

    # what was decided

    def _tournament_planned(self, data: Mapping[str, Any]) -> None:
        self._sheets: dict[str, Sheet] = {}
        self._settled: set[str] = set()

    def _next(self) -> str:
        self._entrants += 1
        return f"e{self._entrants}"

    def _at(self) -> int:
        """The round that is drawn next."""
        return max((int(key.partition(".")[2]) for key in self._drafts), default=0) + 1

    def _entrant_added(self, data: Mapping[str, Any]) -> None:
        who = self._next()
        if data.get("here"):
            self.people.came[who] = self._at()

    def _entrant_arrived(self, data: Mapping[str, Any]) -> None:
        self.people.came.setdefault(data["id"], self._at())
        self.people.left.pop(data["id"], None)

    def _entrant_withdrawn(self, data: Mapping[str, Any]) -> None:
        self.people.came.pop(data["id"], None)

    def _entrant_left(self, data: Mapping[str, Any]) -> None:
        sat = [number for number, seats in self._seats().items() if data["id"] in seats]
        self.people.left[data["id"]] = max(sat, default=0)

    def _house_filled(self, data: Mapping[str, Any]) -> None:
        while len(self.people.house) < data["count"]:
            self.people.house.add(self._next())

    def _round_drawn(self, data: Mapping[str, Any]) -> None:
        self._drafts[f"{data['phase']}.{data['round']}"] = data

    def _seats(self) -> dict[int, set[str]]:
        return {
            int(key.partition(".")[2]): {who for table in data["tables"] for who in table}
            for key, data in self._drafts.items()
        }

    def _round_published(self, data: Mapping[str, Any]) -> None:
        drawn = self._drafts[data["round"]]
        turn = Round(data["round"], {}, set(drawn["byes"]))
        for number, seats in enumerate(drawn["tables"], 1):
            key = f"{turn.key}.{number}"
            self._sheets[key] = turn.sheets[number] = Sheet(key, tuple(seats))
            self.sat |= set(seats)
        self.rounds.append(turn)

    def _table_begun(self, data: Mapping[str, Any]) -> None:
        sheet = self._sheets[data["table"]]
        sheet.game, sheet.turn = data["game"], data["turn"]
        self.begun.setdefault(sheet.key, []).append(sheet.game)
        replay = self.replay(sheet.game)
        # Who sat down says whose seat it is; seats of computer players are the house's, in the order of the draw.
        house = [who for who in sheet.owners if who in self.people.house]
        owners = tuple(self.players.get(player) or house.pop(0) for player in replay.first)
        assert sorted(owners) == sorted(sheet.owners), f"{sheet.key}: {sheet.owners} were drawn, {owners} sat down"
        sheet.owners = owners

    def _table_reported(self, data: Mapping[str, Any]) -> None:
        self.reported.setdefault(data["table"], []).append(dict(data))

    def _table_overdue(self, data: Mapping[str, Any]) -> None:
        sheet = self._sheets[data["table"]]
        if data["how"] == "postponed":
            sheet.late, sheet.forfeit = True, ()
        else:
            sheet.forfeit = tuple(data["who"])
            sheet.counts = True

    def _table_settled(self, data: Mapping[str, Any]) -> None:
        sheet = self._sheets[data["table"]]
        sheet.lines = {line["deal"]: tuple(line["scores"]) for line in data["lines"]}
        sheet.counts, sheet.forfeit = True, ()
        self._settled.add(sheet.key)

    def _lot_drawn(self, data: Mapping[str, Any]) -> None:
        self.lots.append(list(data["order"]))

    def _tournament_closed(self, data: Mapping[str, Any]) -> None:
        self.closed = True

    # what was played

    def _play(self, sheet: Sheet) -> None:
        """What the game of a table has brought, unless somebody has decided otherwise."""
        if not sheet.game or sheet.forfeit or sheet.key in self._settled:
            return
        replay = self.replay(sheet.game)
        played = replay.counted
        numbers = [each.number for each in played] if self.duplicate else range(1, len(played) + 1)
        sheet.lines = {number: each.scores(SIDES) for number, each in zip(numbers, played, strict=True)}
        sheet.counts = replay.over and bool(sheet.lines)
        sheet.short = sheet.counts and len(sheet.lines) < self.deals


def _nothing(data: Mapping[str, Any]) -> None:
    """Changes nothing here."""
