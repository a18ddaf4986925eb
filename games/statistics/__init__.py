"""What the hands somebody has played come to: figures with their spread, tables, drawings; and whom they let see it."""
