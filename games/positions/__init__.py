"""Positions set up by hand. Each becomes the record of a hand that leads to it by the rules, and is stored in its own
URL."""
