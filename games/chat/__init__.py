"""What is written beside the game: the chat of a table, the chat of those who watch, and private notes.

The talk of the deal (`domain.engine`, `games.plans.language`) is part of the game and not of this app.
"""
