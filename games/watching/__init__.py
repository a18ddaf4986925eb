"""Watching: how many watch a table, what they are shown of it in lists, and what is agreed about that.

What a watcher sees of the cards is for `games.selectors.table` alone to say.
"""
