"""Ratings of people: what counts (`sources`), computing (`services`), who is shown (`privacy`), and the pages.

The arithmetic is in `domain.rating`, which knows nothing of accounts; docs/ratings.md explains both.
"""
