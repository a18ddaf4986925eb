"""`python -m domain.tournament verify FILE`: check everything that was drawn in a tournament, from its published file.

Exit status 0 if all of it is valid, 1 if not, 2 if the file cannot be read. `-` reads from standard input.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from domain.tournament.drawing import Report, verify

WORDS = {
    "bad-format": "This is not the file of a tournament's draws, or one of another version.",
    "wrong-secret": "The secret is not the one that was promised when the tournament opened.",
    "wrong-seed": "The seed does not come from the tournament's secret.",
    "attempt-missing": "There was a draw that is not in this file.",
    "wrong-lot": "The seed of this lot leads to another order.",
    "wrong-pairs": "The secret leads to other pairs.",
    "other-engine": "This draw was made by another version of the program; check it with that one.",
    "wrong-commitment": "The seed, the entry list or the settings are not those that were promised before the draw.",
    "bad-inputs": "The entry list or the settings of this draw make no sense.",
    "wrong-result": "The seed leads to another seating than the one in this file.",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m domain.tournament", description="Check the draws of a tournament.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("verify", help="draw everything again and compare").add_argument(
        "file", help="the published file, or -"
    )
    file = parser.parse_args(arguments).file
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        data = json.loads(text)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{file} cannot be read: {error}\n")
        return 2
    report = verify(data)
    for problem in report.problems:
        where = f"{problem.where}: " if problem.where else ""
        sys.stdout.write(f"{where}{WORDS[problem.code]} ({problem.code})\n")
    if report.problems:
        return 1
    sys.stdout.write(_summary(report))
    return 0


def _summary(report: Report) -> str:
    lines = [f"It holds: {report.draws} draws, {report.lots} lots, {report.pairs} drawings of pairs."]
    if report.drafts:
        lines.append(f"{report.drafts} of the draws are promised only; they are revealed when the round is published.")
    if report.withheld:
        lines.append(
            f"{report.withheld} of the draws keep people apart as the organiser wished; who they are, and so whether"
        )
        lines.append("the seating follows, is in the club's own file only. Their seeds are checked all the same.")
    if report.by_hand:
        lines.append(f"{report.by_hand} of the lots were cut in the hall; nothing can be said about these.")
    if report.secret:
        lines.append("Every seed comes from the secret that was promised when the tournament opened.")
    else:
        lines.append("The secret is told when the tournament is closed; until then seeds are checked draw by draw.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
