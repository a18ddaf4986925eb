"""An independent opinion on a round: its own counting, nothing of the package's but the results it judges."""

from __future__ import annotations

from collections import Counter
from itertools import combinations


def meetings(rounds, table_partners):
    """Unordered pairs -> how often together, how often against each other."""
    together: Counter[frozenset[str]] = Counter()
    against: Counter[frozenset[str]] = Counter()
    for tables in rounds:
        for table in tables:
            for (x, one), (y, other) in combinations(enumerate(table), 2):
                which = together if (x, y) in table_partners.get(len(table), set()) else against
                which[frozenset((one, other))] += 1
    return together, against


def burdens(rounds, outs, odd_sizes, carried):
    """Times at an odd table or sitting out."""
    hits = Counter(carried)
    for tables in rounds:
        hits.update(who for table in tables if len(table) in odd_sizes for who in table)
    for out in outs:
        hits.update(out)
    return hits


def faults(seating, *, present, rounds, outs, table_partners, odd_sizes, sizes, carried, fair=True):
    """What is wrong with a seated round, in words."""
    found = []
    seated = [who for table in seating.tables for who in table.seats]
    if sorted([*seated, *seating.out]) != sorted(present):
        found.append("not everybody present exactly once")
    if [table.number for table in seating.tables] != list(range(1, len(seating.tables) + 1)):
        found.append("tables are not numbered through")
    together, against = meetings(rounds, table_partners)
    expected: Counter[tuple[str, frozenset[str]]] = Counter()
    for table in seating.tables:
        if len(table.seats) not in sizes:
            found.append(f"table {table.number} has a size nobody allowed")
        pairs = {frozenset(pair) for pair in table.partners}
        for (x, one), (y, other) in combinations(enumerate(table.seats), 2):
            pair = frozenset((one, other))
            plays_with = (x, y) in table_partners.get(len(table.seats), set())
            if plays_with != (pair in pairs):
                found.append(f"{sorted(pair)} are told to be the wrong thing to each other")
            before = together[pair] if plays_with else against[pair]
            if before:
                expected["partner-again" if plays_with else "opponent-again", pair] += before
    told = Counter({(term.criterion, frozenset(term.who)): term.times for term in seating.repeats})
    if told != expected:
        found.append(f"repeats are told wrongly: {told} instead of {expected}")
    hits = burdens(rounds, outs, odd_sizes, carried)
    hit_now = {who for table in seating.tables if len(table.seats) in odd_sizes for who in table.seats} | set(
        seating.out
    )
    spared = set(present) - hit_now
    if fair and hit_now and spared and max(hits[who] for who in hit_now) > min(hits[who] for who in spared):
        found.append("somebody was burdened again while another was less")
    return found


def price(tables, *, rounds, weights, table_partners, groups):
    """What tables cost by the published weights (without season, wishes and standing)."""
    together, against = meetings(rounds, table_partners)
    total = 0
    for table in tables:
        for (x, one), (y, other) in combinations(enumerate(table), 2):
            pair = frozenset((one, other))
            if (x, y) in table_partners.get(len(table), set()):
                total += weights.partner_again * together[pair] ** 2 + weights.role_changed * against[pair] ** 2
            else:
                total += weights.opponent_again * against[pair] ** 2 + weights.role_changed * together[pair] ** 2
            total += weights.same_group * len(set(groups.get(one, ())) & set(groups.get(other, ())))
    return total
