"""Whom people know here: following, finding by name, writing to each other."""
