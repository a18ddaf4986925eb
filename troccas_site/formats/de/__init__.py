"""Formats of German, as written in Switzerland."""
