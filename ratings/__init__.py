"""Ratings of people: what of all that was played counts (`sources`), computing (`computing`), who is shown (`consent`), pages.

The arithmetic is `domain.rating`, which knows nobody; docs/ratings.md explains both.
"""
