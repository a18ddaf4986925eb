"""Writing beside the game: the chat of a table, the chat of its watchers, and private notes.

The talk of the deal (`domain.engine`, `games.plans.language`) is part of the game, not of this app.
"""
