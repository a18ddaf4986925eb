"""Watching: how many people watch a table, lists of tables to watch, and agreements about who may watch.

Only `games.selectors.table` decides what a watcher sees of the cards.
"""
