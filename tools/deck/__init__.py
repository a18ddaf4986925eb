"""The drawing of the house's own tarot deck: 78 cards and a back, composed into one SVG sprite.

``python -m tools.deck`` writes ``static/deck/deck.svg``. See docs/deck.md.
"""
