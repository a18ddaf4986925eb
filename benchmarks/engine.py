"""How fast the engine is: `python benchmarks/engine.py [--ruleset troccas] [--seats 4] [--hands 2000] [--repeats 5]`.

Two things are measured on one core, with a fixed seed:

* *random play*: hands are dealt from packs that lie ready and played at random, the legal actions computed at every decision. Only hands that were
  played to the end count; those thrown in cost their time all the same.
* *replay*: the records of those games are read from their JSON text and replayed by the rules.

Each is done several times, in seconds of processor time; the best and the median are printed. The collector of cycles
stays on, as in a server.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from domain.engine import Action, Card, Match, Record, Result, Ruleset, cards_in, parse_record, replay, ruleset
from domain.engine.legal import Legal, LegalChoice, LegalCut, LegalPlays
from domain.engine.record import RecordedHand

SEED = 78


def any_of(legal: Legal, rng: random.Random) -> Action:
    """One of the legal actions. A cut and a choice of cards are drawn, not listed: there are hundreds of them."""
    if isinstance(legal, LegalPlays):
        plays = list(legal)
        return plays[int(rng.random() * len(plays))]
    if isinstance(legal, LegalCut):
        return Action("cut", number=1 + int(rng.random() * legal.most))
    if isinstance(legal, LegalChoice):
        if legal.otherwise and rng.random() < 0.5:
            return legal.otherwise[0]
        cards = list(cards_in(legal.cards))
        return Action(legal.verb, tuple(rng.sample(cards, legal.count)))
    actions = list(legal)
    return actions[int(rng.random() * len(actions))]


def shuffled(rules: Ruleset, count: int) -> list[list[Card]]:
    """`count` packs of the ruleset, the same ones every time."""
    rng = random.Random(SEED)
    return [rng.sample(list(cards_in(rules.pack)), rules.pack.bit_count()) for _ in range(count)]


def play_games(rules: Ruleset, hands: int, packs: list[list[Card]]) -> list[Result]:
    """Play whole games, dealt from `packs` in turn, until `hands` hands have been played."""
    rng = random.Random(SEED)
    pack = cycle(packs)
    results: list[Result] = []
    played = 0
    while played < hands:
        match = Match(rules)
        while not match.over:
            hand = match.deal(next(pack))
            while hand.result is None:
                match.push(any_of(hand.legal, rng))
        played += sum(result.status == "played" for result in match.results)
        results += match.results
    return results


def recorded_games(rules: Ruleset, hands: int, packs: list[list[Card]]) -> list[str]:
    """The games of `play_games`, as the JSON texts of their records."""
    rng = random.Random(SEED)
    pack = cycle(packs)
    texts: list[str] = []
    played = 0
    while played < hands:
        match = Match(rules)
        recorded: list[RecordedHand] = []
        while not match.over:
            hand = match.deal(next(pack))
            lying = hand.pack
            assert lying is not None
            while hand.result is None:
                match.push(any_of(hand.legal, rng))
            actions = tuple(f"{seat} {action}" for seat, action in hand.history)
            recorded.append(RecordedHand(hand.dealer, lying, actions))
        players = tuple(f"P{seat}" for seat in range(rules.seats))
        texts.append(json.dumps(Record(rules, match.options, players, tuple(recorded)).to_json()))
        played += sum(result.status == "played" for result in match.results)
    return texts


def replay_texts(texts: list[str]) -> None:
    """Read and replay records."""
    for text in texts:
        replay(parse_record(text))


def timed(work: Callable[[], object], repeats: int) -> list[float]:
    """The seconds of each of `repeats` runs."""
    seconds: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return seconds


def report(what: str, count: int, seconds: list[float]) -> None:
    best, median = count / min(seconds), count / statistics.median(seconds)
    print(f"{what:<32} best {best:>9,.0f} /s   median {median:>9,.0f} /s")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the engine.")
    parser.add_argument("--ruleset", default="troccas")
    parser.add_argument("--seats", type=int, help="players at the table, where the game can be played by more or fewer")
    parser.add_argument("--hands", type=int, default=2000, help="hands played in each run")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    rules = ruleset(arguments.ruleset, seats=arguments.seats)

    packs = shuffled(rules, 500)
    results = play_games(rules, arguments.hands, packs)
    played = sum(result.status == "played" for result in results)
    print(f"{rules.id} for {rules.seats}, version {rules.version}; Python {sys.version.split()[0]}")
    print(f"{played} hands played, {len(results) - played} thrown in or passed, {arguments.repeats} times")
    report(
        "random play, hands played",
        played,
        timed(lambda: play_games(rules, arguments.hands, packs), arguments.repeats),
    )
    texts = recorded_games(rules, arguments.hands, packs)
    replays = timed(lambda: replay_texts(texts), arguments.repeats)
    report("replay from JSON, hands played", played, replays)
    report("replay from JSON, all hands", len(results), replays)
    report("replay from JSON, records", len(texts), replays)

    tracemalloc.start()
    play_games(rules, 4, packs)
    _, one_game = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory: {one_game / 1024:,.0f} KiB for one game, {whole / 1024:,.0f} MiB for the whole process")


if __name__ == "__main__":
    main()
