"""Formats of Sursilvan."""
