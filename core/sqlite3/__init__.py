"""Django's database backend for SQLite, with a queue for writers."""
