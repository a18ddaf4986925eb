"""How fast rounds are seated: `python benchmarks/seating.py [--seeds 5]`.

Seconds of wall time and of the processor for whole evenings (draw) and for single rounds (Swiss, after five rounds of
random results), the slowest of several seeds, beside what issue 7 asks for. Also counts what repeats. Exit status 1 if
something is too slow or repeats that must not.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from domain.seating.field import FOR_PAIRS, FOR_PLAYERS, Entrant, Field, Past, Seating, Settings
from domain.seating.seat import seat


def seed_of(*what: object) -> bytes:
    return hashlib.sha256(repr(what).encode()).digest()


def field_of(count: int) -> Field:
    return Field(tuple(Entrant(f"p{number:05}") for number in range(count)))


def after(field: Field, seating: Seating) -> Field:
    return replace(field, rounds=(*field.rounds, Past(tuple(table.seats for table in seating.tables), seating.out)))


def evening(method: str, count: int, rounds: int, settings: Settings, seed: int) -> list[Seating]:
    """A whole evening."""
    field, seatings = field_of(count), []
    for _ in range(rounds):
        seatings.append(seat(method, field, settings, seed_of("evening", seed)))
        field = after(field, seatings[-1])
    return seatings


def swiss_after_five(count: int, seed: int) -> Field:
    """Pairs with five rounds behind them: the better one of a table (by chance) gets a point."""
    field, luck = field_of(count), Random(seed)
    points = {entrant.id: 0 for entrant in field.entrants}
    for _ in range(5):
        seating = seat("swiss", field, FOR_PAIRS, seed_of("swiss", seed))
        for table in seating.tables:
            points[luck.choice(table.seats)] += 1
        field = replace(after(field, seating), standing=tuple(points.items()))
    return field


def repeated(seatings: list[Seating]) -> int:
    return sum(len(seating.repeats) for seating in seatings)


def timed(work: Callable[[], list[Seating]]) -> tuple[float, float, int]:
    wall, processor = time.perf_counter(), time.process_time()
    repeats = repeated(work())
    return time.perf_counter() - wall, time.process_time() - processor, repeats


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    seeds = range(parser.parse_args().seeds)
    failed = False
    print(f"{'':34}{'wall s':>9}{'cpu s':>9}{'asked s':>9}{'repeats':>9}")

    def show(name: str, works: list[Callable[[], list[Seating]]], most: float | None, *, clean: bool = False) -> None:
        nonlocal failed
        runs = [timed(work) for work in works]
        wall, processor, repeats = (max(column) for column in zip(*runs, strict=True))
        good = (most is None or processor < most) and not (clean and repeats)
        failed |= not good
        asked = "" if most is None else f"{most:.2f}"
        print(f"{name:34}{wall:9.3f}{processor:9.3f}{asked:>9}{repeats:>9}{'' if good else '   TOO MUCH'}")

    def evenings(
        method: str, count: int, rounds: int, settings: Settings = FOR_PLAYERS
    ) -> list[Callable[[], list[Seating]]]:
        return [lambda seed=seed: evening(method, count, rounds, settings, seed) for seed in seeds]

    def swiss(count: int) -> list[Callable[[], list[Seating]]]:
        fields = [(swiss_after_five(count, seed), seed) for seed in seeds]
        return [lambda f=field, s=seed: [seat("swiss", f, FOR_PAIRS, seed_of("swiss", s))] for field, seed in fields]

    show("draw, 24 players, 5 rounds", evenings("draw", 24, 5), 1.0, clean=True)
    show("draw, 2,000 players, 8 rounds", evenings("draw", 2000, 8), 2.0, clean=True)
    show("Swiss, 100 pairs, 6th round", swiss(100), 0.05, clean=True)
    show("Swiss, 1,000 pairs, 6th round", swiss(1000), 2.0, clean=True)
    show("draw, 22 players, 5 rounds", evenings("draw", 22, 5), None)
    show("draw, 51 players, 6 rounds", evenings("draw", 51, 6), None)
    show("draw, 102 players, 8 rounds", evenings("draw", 102, 8), None)
    show("rotation, 28 players, 27 rounds", evenings("rotation", 28, 27), None)
    print("Time of the processor is judged: others may be at work on this machine.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
