"""What a run remembers beside its database, written next to it: so a finding can be traced, and judged again, later.

`python -m tests.judging --keep` leaves a folder; `python -m tests.judging --again FOLDER` reads it and judges once more,
without people, with the checks as they are now. What was kept holds no site that runs.
"""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from tests.judging.archive import Archive, Letter

if TYPE_CHECKING:
    from tests.judging.village import Village

_FILE: Final = "memory.pickle"


@dataclass(slots=True)
class PostKept:
    """What the post received, as `offices.PostOffice` tells it."""

    told_letters: Counter[str]
    told_copies: dict[str, list[set[str]]]
    told_texts: list[tuple[str, str, datetime | None]]
    push: Any
    """Of each browser its endpoint and what came there, still sealed."""
    arrivals: list[tuple[str, str]]

    def letters(self) -> Counter[str]:
        """How often each notice's letter has come."""
        return self.told_letters

    def copies(self) -> dict[str, list[set[str]]]:
        """The lines of each copy."""
        return self.told_copies

    def texts(self) -> list[tuple[str, str, datetime | None]]:
        """Every letter and message."""
        return self.told_texts


@dataclass(slots=True)
class Kept:
    """All of a village that its judge looks at."""

    memory: dict[str, Any]
    archive: Archive
    house: Any = field(init=False)

    def __post_init__(self) -> None:
        deaths, logs = self.memory["deaths"], self.memory["logs"]
        self.house = SimpleNamespace(deaths=deaths, logs=lambda: logs)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.memory[name]
        except KeyError:
            raise AttributeError(name) from None


def keep(village: Village) -> None:
    """Write down what the village remembers, when its site has stopped."""
    office = village.post_office
    browsers = {
        path: SimpleNamespace(endpoint=browser.endpoint, bodies=list(browser.bodies), headers=list(browser.headers))
        for path, browser in office.push.browsers.items()
    }
    people = [
        SimpleNamespace(
            key=person.key,
            name=person.name,
            email=person.email,
            devices=[SimpleNamespace(guests=set(device.guests)) for device in person.devices],
        )
        for person in village.people
    ]
    post = PostKept(
        office.letters(), office.copies(), office.texts(), SimpleNamespace(browsers=browsers), list(office.arrivals)
    )
    memory = {
        "people": people,
        "problems": list(village.problems),
        "bells": SimpleNamespace(wrong=list(village.bells.wrong)),
        "ledger": village.ledger.entries,
        "witness": village.witness,
        "post_office": post,
        "overslept": set(village.overslept),
        "seen": set(village.seen),
        "letters": village.archive.letters,
        "deaths": village.house.deaths,
        "logs": village.house.logs(),
    }
    village.archive.flush()
    (village.house.folder / _FILE).write_bytes(pickle.dumps(memory))


def kept(folder: Path) -> Kept:
    """What `keep` wrote. Raises FileNotFoundError."""
    memory: dict[str, Any] = pickle.loads((folder / _FILE).read_bytes())  # noqa: S301  # our own file
    letters: list[Letter] = memory.pop("letters")
    memory["ledger"] = SimpleNamespace(entries=memory["ledger"])
    return Kept(memory, Archive.reopened(folder / "archive", letters))
