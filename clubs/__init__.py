"""Clubs and their evenings: who sits where (`seating`), and who stands where (`standings`)."""
