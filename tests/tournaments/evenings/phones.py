"""The tables: one phone writes, another confirms, or its digits do; sums go wrong, networks fail, people disagree."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

from tests.tournaments.evenings.books import Line, Sheet
from tests.tournaments.evenings.followers import Heard
from tests.tournaments.evenings.secretary import Slip
from tests.tournaments.evenings.wire import Browser, Fields, Form, Page, Refusing


class How(Enum):
    """How a table gets its sheet to the desk."""

    OTHER_PHONE = auto()
    DIGITS = auto()
    WRONG_SUM = auto()
    OFFLINE = auto()
    PLAIN = auto()
    """No script: whole pages and forms."""
    DISPUTE = auto()
    LATE = auto()
    """Plays half, and goes on when the next round is out."""
    PAPER = auto()
    """No phone at all: the desk types it in."""


def sheet_of(round: str, slip: Slip) -> Sheet:
    """An empty sheet of a table."""
    return Sheet(f"{round}.{slip.number}", tuple(side.people for side in slip.sides), slip.total, slip.deals)


def shares(total: int, sides: int, chance: random.Random) -> tuple[int, ...]:
    """The points of a deal: anything that adds up."""
    cuts = sorted(chance.randint(0, total) for _ in range(sides - 1))
    return tuple(high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True))


@dataclass
class Phones:
    """The phones of one table: `one` writes, `other` belongs to another side."""

    one: Browser
    other: Browser
    slip: Slip
    sheet: Sheet
    how: How
    chance: random.Random
    heard: Heard
    tick: Callable[[], None]
    """Called after every entry."""
    writer: int = 0
    confirmer: int = field(init=False)

    def __post_init__(self) -> None:
        sides = len(self.slip.sides)
        self.writer = self.chance.randrange(sides)
        self.confirmer = (self.writer + self.chance.randint(1, sides - 1)) % sides

    @property
    def path(self) -> str:
        """Where the writing side's code leads."""
        return self.slip.sides[self.writer].path

    @property
    def other_path(self) -> str:
        """Where the confirming side's code leads."""
        return self.slip.sides[self.confirmer].path

    def play(self) -> None:
        """Play the round, or half of it. Raises Refusing."""
        deals = range(1, self.slip.deals + 1)
        if self.how is How.PAPER:
            for deal in deals:
                self._played(deal)
            return
        shown = self.one.page(self.path)
        for people in self.sheet.sides:
            if any(person not in shown.text for person in people):
                raise Refusing(f"{self.path} does not name {people}")
        if self.how is How.LATE:
            self._write(1)
            return
        if self.how is How.OFFLINE:
            self._offline(list(deals))
        elif self.how is How.PLAIN:
            for deal in deals:
                self._plainly(deal)
            self.one.press(self._hand_in_form())
        else:
            for deal in deals:
                self._write(deal)
            self._script(f"{self.path}hand-in/", {"seen": self._seen()})
        self._confirm()

    def finish(self) -> None:
        """Go on where the table stopped."""
        for deal in range(2, self.slip.deals + 1):
            self._write(deal)
        self._script(f"{self.path}hand-in/", {"seen": self._seen()})
        self._confirm()

    # writing

    def _played(self, deal: int) -> tuple[int, ...]:
        scores = shares(self.slip.total, len(self.slip.sides), self.chance)
        self.sheet.lines[deal] = Line(scores)
        return scores

    def _seen(self) -> str:
        """The sheet as the page's script knows it."""
        return ";".join(f"{deal}:{','.join(map(str, line.scores))}" for deal, line in sorted(self.sheet.lines.items()))

    def _fields(self, deal: int, scores: tuple[int, ...], seen: str = "") -> Fields:
        fields: Fields = {f"s{side}": str(score) for side, score in enumerate(scores)}
        return fields | {"deal": str(deal), "seen": seen, "extra": ""}

    def _script(self, path: str, fields: Fields, *, browser: Browser | None = None) -> Page:
        answer = (browser or self.one).post(path, fields, script=True)
        if answer.status != 200 or answer.json().get("done") is not True:
            raise Refusing(f"{path} {fields} gave {answer.status}: {answer.text[:300]}")
        self.heard.said(answer.json()["number"])
        self.tick()
        return answer

    def _write(self, deal: int) -> None:
        scores = self._played(deal)
        if self.how is How.WRONG_SUM:
            wrong = (scores[0] + self.chance.choice([-1, 1, 2]), *scores[1:])
            refused = self.one.post(f"{self.path}write/", self._fields(deal, wrong), script=True)
            if refused.status != 422 or "sum" not in refused.json()["code"]:
                raise Refusing(f"a wrong sum {wrong} gave {refused.status}: {refused.text[:200]}")
        sent = self._fields(deal, scores) | {"request_id": self.one.new_id()}
        self._script(f"{self.path}write/", sent)
        self.sheet.written += 1
        if self.how is How.WRONG_SUM:
            other = shares(self.slip.total, len(self.slip.sides), self.chance)
            reused = self.one.post(
                f"{self.path}write/", self._fields(deal, other) | {"request_id": sent["request_id"]}, script=True
            )
            if other != scores and reused.status != 422:
                raise Refusing(f"a used id with another deal gave {reused.status}: {reused.text[:200]}")

    def _plainly(self, deal: int) -> None:
        page = self.one.page(self.path)
        form = page.form(to="/write/")
        if form.text("deal") != str(deal):
            raise Refusing(f"{self.path} asks for deal {form.text('deal')}, not {deal}")
        scores = self._played(deal)
        wrong = self.one.send(
            form, **{f"s{side}": str(score) for side, score in enumerate((scores[0] + 1, *scores[1:]))}
        )
        if wrong.status != 422 or wrong.form(to="/write/").text("s0") != str(scores[0] + 1):
            raise Refusing(f"a wrong sum on the form gave {wrong.status}, or is not kept as it was typed")
        self.one.press(wrong.form(to="/write/"), **{f"s{side}": str(score) for side, score in enumerate(scores)})
        self.sheet.written += 1
        self.tick()

    def _hand_in_form(self) -> Form:
        return self.one.page(self.path).form(to="/hand-in/")

    def _offline(self, deals: list[int]) -> None:
        """The network is away after the first deal: the rest waits in the phone, and is sent in order, some of it twice."""
        self._write(deals[0])
        waiting: list[tuple[str, Fields]] = []
        for deal in deals[1:]:
            fields = self._fields(deal, self._played(deal)) | {"request_id": self.one.new_id()}
            waiting.append((f"{self.path}write/", fields))
        waiting.append((f"{self.path}hand-in/", {"seen": self._seen(), "request_id": self.one.new_id()}))
        time.sleep(self.chance.uniform(0.2, 1.0))
        for path, fields in waiting:
            self._script(path, fields)
            self.sheet.written += path.endswith("/write/")
            if self.chance.random() < 0.6:
                self._script(path, fields)

    # what the other side says

    def _confirm(self) -> None:
        if self.how is How.DISPUTE:
            self._dispute()
            return
        if self.how is How.DIGITS:
            own, theirs = self.slip.sides[self.writer].digits, self.slip.sides[self.confirmer].digits
            form = self.one.page(self.path).form(to="/digits/")
            refused = self.one.send(form, digits=own)
            if own != theirs and refused.status != 422:
                raise Refusing(f"one's own digits gave {refused.status}")
            self.one.press(refused.form(to="/digits/"), digits=theirs)
        else:
            seen = self.other.page(self.other_path)
            self._script(
                f"{self.other_path}confirm/", {"seen": seen.form(to="/confirm/").text("seen")}, browser=self.other
            )
        self.sheet.confirmed = True
        self.tick()

    def _dispute(self) -> None:
        """The other side has the last deal otherwise. The director will say they are right."""
        page = self.other.page(self.other_path)
        deal = max(self.sheet.lines)
        scores = self.sheet.lines[deal].scores
        other = (scores[-1], *scores[1:-1], scores[0])
        if other == scores:
            other = (scores[0] + scores[-1], *scores[1:-1], 0)
        fields = {f"d{deal}-{side}": str(score) for side, score in enumerate(other)}
        self.other.press(page.form(to="/dispute/"), note="Nus avain dumbrà auter.", **fields)
        self.sheet.lines[deal] = Line(other)
