"""`python -m domain.seating verify FILE`: repeat a draw from its published file, and say whether it is valid.

Exit status 0 if it is valid, 1 if not, 2 if the file cannot be checked. `-` reads from standard input.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from domain.seating.files import verify

WORDS = {
    "bad-format": "This is not the file of a revealed draw, or one of another version.",
    "withheld": "This file leaves out whom the organiser wants apart; only the club's own file can be drawn again.",
    "other-engine": "This draw was made by another version of the program; check it with that one.",
    "wrong-commitment": "The seed, the entry list or the settings are not those that were promised before the draw.",
    "bad-inputs": "The entry list or the settings in this file make no sense.",
    "wrong-result": "The seed leads to another seating than the one in this file.",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m domain.seating", description="Check a published draw.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("verify", help="draw again and compare").add_argument("file", help="the published file, or -")
    file = parser.parse_args(arguments).file
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        data = json.loads(text)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{file} cannot be read: {error}\n")
        return 2
    problems = verify(data)
    if not problems:
        sys.stdout.write(f"It holds. The seed was promised as {data['commitment']} and leads to this seating.\n")
        return 0
    for problem in problems:
        sys.stdout.write(f"{WORDS[problem]} ({problem})\n")
    return 2 if problems == ["withheld"] else 1


if __name__ == "__main__":
    sys.exit(main())
