"""Plain Python, usable by itself: no Django, no database, no network."""
