"""The director’s desk on the evening: rounds, sheets, standings, penalties, prizes."""
