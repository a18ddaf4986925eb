"""Positions laid by hand: made into the record of a hand that leads there by the rules, and kept in their own address."""
