"""Finding a table: tables that wait for players, until they begin as a game."""
