"""Statistics of a player's hands: figures with their spread, tables and charts; and who may see them."""
