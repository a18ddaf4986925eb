"""Puzzles: decisions in real hands for which one action is clearly best. People and puzzles are rated by each other."""
