"""What the director does: rounds, sheets, standings, penalties, prizes."""
