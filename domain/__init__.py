"""What needs no Django, no database and no network: plain Python, usable by itself."""
