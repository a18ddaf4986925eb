"""Announcing and planning a tournament, entering people, dry runs, and the entrance."""
