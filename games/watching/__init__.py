"""Watching: who may watch a table, how many do, what they are shown of it in lists, and what is agreed about that.

`rights` says who may see a game, `door` changes what is agreed, `presence` counts open pages, `seen` and `listing` give
plain data. What a watcher sees of the cards is for `games.selectors.table` alone to say.
"""
