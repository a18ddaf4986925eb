"""`manage.py replay FILE…`: play records through the rules again, as docs/record-format.md describes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from domain.engine.record import Json, Record, RecordError, parse_record, replayed

_LONGEST: Final = 300  # characters of one complaint: a broken file may quote itself at any length


class Command(BaseCommand):
    """Exit status 1, and one line on standard error for each file that cannot be replayed; the others are printed.

    Nothing is read from or written to the database.
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
    """The record in a file. Raises RecordError, also when the file cannot be read."""
    try:
        return parse_record(Path(file).read_bytes())
    except OSError as error:
        raise RecordError(error.strerror or "cannot be read") from None


def _one_line(text: str) -> str:
    """`text` without anything that breaks a line or steers a terminal, cut where it gets too long."""
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def _summary(file: str, record: Record, result: Mapping[str, Any]) -> Iterator[str]:
    """A result for the eye: a line for each hand, the totals by name last."""
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
