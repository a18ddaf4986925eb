"""`manage.py replay FILE…`: replay records by the rules, as docs/record-format.md describes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from domain.engine.record import Json, Record, RecordError, parse_record, replayed

_LONGEST: Final = 300  # characters of one error message, since a broken file may be quoted at any length


class Command(BaseCommand):
    """Print the results of the records.

    Each file that cannot be replayed gives one line on standard error and exit status 1. Nothing is read from or
    written to the database.
    """

    help = "Replay game records by the rules, without touching the database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a game record (JSON)")
        parser.add_argument("--json", action="store_true", help="print the results as JSON (a list for several files)")
        parser.add_argument("--legal", action="store_true", help="add the legal actions of every decision")

    def handle(self, *args: object, **options: Any) -> None:
        files: list[str] = options["files"]
        legal: bool = options["legal"]
        results: list[dict[str, Json]] = []
        bad = 0
        for file in files:
            try:
                record = _read(file)
                result = replayed(record, legal=legal)
            except RecordError as error:
                bad += 1
                self.stderr.write(_one_line(f"{file}: {error}"))
                continue
            results.append(result)
            if not options["json"]:
                for line in _summary(file, record, result):
                    self.stdout.write(line)
        if options["json"]:
            if len(files) > 1:
                self.stdout.write(json.dumps(results))
            elif results:
                self.stdout.write(json.dumps(results[0]))
        if bad:
            raise SystemExit(1)


def _read(file: str) -> Record:
    """The record in a file. Raises RecordError, also if the file cannot be read."""
    try:
        return parse_record(Path(file).read_bytes())
    except OSError as error:
        raise RecordError(error.strerror or "cannot be read") from None


def _one_line(text: str) -> str:
    """`text` without line breaks and terminal control characters, shortened if it is too long."""
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def _summary(file: str, record: Record, result: Mapping[str, Any]) -> Iterator[str]:
    """A result in readable form: a line for each hand, and the totals by name at the end."""
    yield _one_line(f"{file}: {result['ruleset']}")
    for number, (recorded, hand) in enumerate(zip(record.hands, result["hands"], strict=True), 1):
        line = f"  hand {number}, seat {recorded.dealer} deals: {hand['status']}"
        if "points" in hand:
            sides = zip(hand["sides"], hand["points"], strict=True)
            counted = [
                f"{'+'.join(map(str, seats))}: {points} ({hand['scores'][seats[0]]:+})" for seats, points in sides
            ]
            line = f"{line}, seats {', '.join(counted)}"
        elif "to_act" in hand:
            line = f"{line}, seat {hand['to_act']} is to act"
        yield line
        for decision in hand.get("decisions", ()):
            yield f"    {decision['seat']}: {_described(decision['legal'])}"
    totals = zip(record.players, result["totals"], strict=True)
    yield _one_line(f"  totals: {', '.join(f'{name} {total:+}' for name, total in totals)}")


def _described(legal: list[str] | dict[str, Any]) -> str:
    if isinstance(legal, list):
        return ", ".join(legal)
    others = "".join(f", or {other}" for other in legal.get("or", ()))
    return f"{legal['choose']} of {' '.join(legal['from'])}{others}"
