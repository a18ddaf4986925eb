"""The director's pages: rounds, sheets, standings, penalties, prizes."""
