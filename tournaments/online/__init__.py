"""Rounds played online by correspondence: from a round to its games, and from games to results.

Everything that happens is in the log of the tournament; the rest are projections and notices. Locks: the tournament's
row first, then games in order. Code that holds a game's lock never takes a tournament's.
"""
