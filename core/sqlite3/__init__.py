"""Django's database on SQLite, with a queue for those who write."""
