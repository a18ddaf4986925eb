"""Puzzles: decisions of real hands in which one action is clearly best, to be found; people and puzzles are rated by each other."""
