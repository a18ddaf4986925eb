"""What people do before a game: lay a table, invite, join by list, by link or by invitation, change seats, begin, give up."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tests.judging import pages
from tests.judging.people import GAME, TABLE, Person, Visitor
from tests.judging.wire import Answer


@dataclass(slots=True)
class Waiting:
    """A table that somebody has laid and that has not begun, as far as is known here."""

    public_id: str
    host: Person
    laid_at: float
    invited: bool


class Guest(Visitor):
    """A person before a game."""

    def lay(self, ruleset: str, size: int, pace: str) -> bool:
        """Lay a table of a game and see what comes of it; whether it stands."""
        if not self.person.signed_up:
            self.arrive()
        path = f"/{self.person.language}/tables/new/?game={ruleset}&pace={pace}"
        if self.person.email and not self.known() and not self.log_in():
            return False
        page = pages.parse(self.device.get(path).text)
        form = next((one for one in pages.buttons(page, path) if "entry" in one.fields), None)
        if form is None:
            return False
        entry = self.chance.choice(pages.choices(page, "entry")) if self.person.email else "everyone"
        people = min(size, self.chance.choice([1, 2, 2, 3, 3, 4, 5, 8]))
        # Seven computer players there are; no table has more empty seats than that.
        fields = form.fields | {
            "entry": entry,
            "computers": str(size - people),
            "hands": str(1 if self.chance.random() < 0.85 else 2),
        }
        if "size" in fields:
            fields["size"] = str(size)
        if "name" in fields:
            fields["name"] = self.person.name
        for name in ("seating", "talk", "out"):
            if name in fields and self.chance.random() < 0.5:
                fields[name] = pages.some(page, name, self.chance)
        for name in ("action", "bank", "vacation"):
            # The longest times would only make the end of the run longer.
            if name in fields and self.chance.random() < 0.5:
                fields[name] = self.chance.choice(pages.choices(page, name)[:4])
        for name, how_often in (("throw_in", 0.3), ("host_starts", 0.2), ("weekends", 0.8), ("knock", 0.5)):
            fields.pop(name, None)
            if self.chance.random() < how_often and pages.choices(page, name):
                fields[name] = "on"
        answer = self.device.insist(path, fields, kind="lobby", text="laid")
        if answer.status != 303:
            return False
        self.note_game(answer)
        table = TABLE.match(answer.where)
        if table:
            invited = "invited" in str(fields["entry"])
            self.village.waiting[table[1]] = Waiting(table[1], self.person, time.monotonic(), invited)
            if invited or self.chance.random() < 0.3:
                self.invite(table[1])
            self.village.bells.listen(self.device, f"/ws/t/{table[1]}/", self.person)
        return True

    def invite(self, table: str) -> None:
        """Ask some people by their names."""
        for friend in self.village.some_members(self.person, 3):
            answer = self.device.get(f"/t/{table}/?find={friend.name.replace(' ', '+')}")
            page = pages.parse(answer.text)
            offered = [one for one in pages.buttons(page, f"/t/{table}/") if one.name == "person"]
            if offered:
                self.device.insist(offered[0].path, offered[0].fields, kind="lobby", text="invited")

    def join(self, table: str) -> None:
        """Sit down at a table one was told of, or found in the list; change the seat, or go again."""
        if not self.person.signed_up:
            self.arrive()
        if self.person.email and not self.known() and not self.log_in():
            return
        if self.chance.random() < 0.3:
            found = pages.links(self.device.get(f"/{self.person.language}/tables/").text, r"/t/[0-9a-z]+/")
            table = TABLE.match(self.chance.choice(found))[1] if found else table  # type: ignore[index]  # just found
        page = self.device.get(f"/t/{table}/").text
        offered = [one for one in pages.buttons(pages.parse(page), f"/t/{table}/") if one.path.endswith("/join/")]
        fields = dict(self.chance.choice(offered).fields) if offered else {}
        if not self.person.email or "name" in fields:
            fields["name"] = self.person.name
        answer = self.device.insist(f"/t/{table}/join/", fields, kind="lobby", text="joined")
        self.note_game(answer)
        if answer.status != 303:
            self.village.waiting.pop(table, None) if answer.status in (404, 409) else None
            return
        self.village.bells.listen(self.device, f"/ws/t/{table}/", self.person)
        if answer.where.startswith("/t/") and self.chance.random() < 0.1:
            what = self.chance.choice(["move", "leave"])
            fields = {"seat": str(self.chance.randrange(4))} if what == "move" else {}
            self.device.insist(f"/t/{table}/{what}/", fields, kind="lobby", text={"move": "moved"}.get(what, "left"))

    def begin(self, waiting: Waiting) -> None:
        """The host has waited long enough: begin with computer players, or take the table away."""
        self.village.waiting.pop(waiting.public_id, None)
        what = "close" if self.chance.random() < 0.03 else "start"
        if self.chance.random() < 0.03:
            return  # forgets it: the table's time runs out
        answer = self.device.insist(
            f"/t/{waiting.public_id}/{what}/", {}, kind="lobby", text={"close": "closed"}.get(what, "started")
        )
        self.note_game(answer)

    def look(self, table: str) -> None:
        """See whether the table one waits at has become a game."""
        answer = self.device.get(f"/t/{table}/")
        for found in pages.links(answer.text, r"/g/[0-9a-z]+/"):
            self.enter(found)

    def note_game(self, answer: Answer) -> None:
        """If the answer leads to a game, it is one's own from now on."""
        self.enter(answer.where)

    def enter(self, path: str) -> None:
        """Know a game, listen to its bell, and let the computer players hurry."""
        found = GAME.match(path)
        if not found or found[1] in self.person.games:
            return
        self.person.games.add(found[1])
        self.village.bells.listen(self.device, f"/ws/g/{found[1]}/", self.person)
        if not self.person.email and len(self.person.games) == 1:
            self.post(f"{path}settings/", {"bot_speed": "at-once", "hand_order": "high"})
