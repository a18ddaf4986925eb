"""A tournament without a database: events are applied one after the other, times a minute apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.tournament import drawing
from domain.tournament import drawing as secrets
from domain.tournament.events import Event, apply
from domain.tournament.payload import Plain
from domain.tournament.registering import house_needed
from domain.tournament.state import Round, State, Table

SECRET = bytes(range(32))
START = datetime(2026, 11, 27, 18, 30, tzinfo=UTC)
ONLINE: dict[str, Any] = {"pace": {"kind": "days", "action": 86400}, "days": 14}
DUPLICATE = ONLINE | {"duplicate": True}
DEADLINE = (START + timedelta(days=14)).isoformat()


class Script:
    """A log that grows. `state` is where it stands."""

    def __init__(self, people: int = 0, *, fee: int = 0, **plan: Any) -> None:
        self.log: list[Event] = []
        self.state = State()
        self.persons = 0
        self.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 2}} | plan, fee=fee)
        self.do("tournament.opened", commitment=secrets.commitment(SECRET))
        for _person in range(people):
            self.come()

    def do(self, kind: str, /, by: str = "desk", **data: Any) -> State:
        """One event; raises DomainError, and then nothing has changed."""
        at = (START + timedelta(minutes=len(self.log))).isoformat()
        event = Event(self.state.number + 1, at, kind, data, by)
        self.state = apply(self.state, event)
        self.log.append(event)
        return self.state

    def come(self, members: int = 1) -> str:
        """Somebody, or a pair, comes in; their id."""
        self.persons += members
        names: list[Plain] = [f"person-{self.persons - n}" for n in range(members)]
        self.do("entrant.added", members=names, here=True)
        return f"e{len(self.state.entrants)}"

    def draw(self, phase: int = 1, *, out: bool = True, hall: str = "") -> Round:
        """The next round of a phase."""
        number, attempt, draw = drawing.promise(self.state, self.state.phases[phase - 1], SECRET)
        here: list[Plain] = [each.id for each in draw.field.present]
        self.do("round.promised", phase=phase, round=number, attempt=attempt, file=draw.promise(), here=here)
        made = drawing.make_draw(draw, hall)
        self.do(
            "round.drawn",
            phase=phase,
            round=number,
            attempt=attempt,
            file=dict(made.file),
            tables=[list(seats) for seats in made.seats],
            byes=list(made.byes),
            hall=hall,
        )
        if out:
            self.publish(f"{phase}.{number}")
        return self.state.phases[phase - 1].rounds[-1]

    def publish(self, key: str) -> None:
        """A round is out; one that is played online with two weeks' time."""
        online = self.state.phases[int(key.partition(".")[0]) - 1].plan.online
        self.do("round.published", round=key, **({"deadline": DEADLINE} if online else {}))

    def fill(self, phase: int = 1) -> int:
        """Computer players for the next round of a phase; how many."""
        needed = house_needed(self.state, self.state.phases[phase - 1])
        self.do("house.filled", count=needed)
        return needed

    def lay(self, key: str) -> None:
        """The deals of a duplicate round."""
        deals = self.state.phases[int(key.partition(".")[0]) - 1].plan.rules.deals
        boards: list[Plain] = [{"number": number, "commitment": f"c{key}-{number}"} for number in range(1, deals + 1)]
        self.do("boards.laid", round=key, set=f"set-{key}", boards=boards)

    def begin(self, key: str, turn: int = 0) -> str:
        """A game is laid for a table; its id."""
        game = f"game-{key}"
        self.do("table.begun", by="site", table=key, game=game, turn=turn)
        return game

    def report(self, key: str, lines: Iterable[Sequence[int]], **more: Any) -> None:
        """A table's game is over: the scores of the deals from the first on."""
        said = [{"deal": deal, "scores": list(scores)} for deal, scores in enumerate(lines, 1)]
        game = more.pop("game", self.table(key).game)
        self.do("table.reported", by="site", table=key, game=game, lines=said, **more)

    def table(self, key: str) -> Table:
        """A table."""
        found = self.state.table(key)
        assert found is not None
        return found

    def write(self, key: str, first: int | None = None) -> None:
        """A sheet is written to its end: `first` points for the first side in each deal, the rest for the last one."""
        table = self.table(key)
        for deal in range(1, table.deals + 1):
            self.do("deal.entered", table=key, deal=deal, place=0, scores=scores_of(table, first))

    def play(self, key: str, first: int | None = None) -> None:
        """A sheet is written, handed in by the first side and confirmed by the second."""
        self.write(key, first)
        self.do("table.handed-in", table=key, place=0)
        self.do("table.confirmed", table=key, place=self.table(key).sides[1][0])

    def play_round(self, key: str, first: int | None = None) -> None:
        """A whole round."""
        found = self.state.round(key)
        assert found is not None
        for number in found.tables:
            self.play(f"{key}.{number}", first)


def scores_of(table: Table, first: int | None = None) -> list[Plain]:
    """Scores of one deal that add up."""
    sides = 2 if table.in_turn else len(table.sides)
    total = table.total or 0
    mine = total // sides + 3 if first is None else first
    return [mine, *[0] * (sides - 2), total - mine]
