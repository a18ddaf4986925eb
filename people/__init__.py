"""Contacts between people: following, finding somebody by name, and writing to each other."""
