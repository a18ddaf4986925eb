"""Finding a table: tables that wait for players, until they begin as a game.

`door` is the only way to change one; `finding` makes the lists; `seen` is what one viewer may know; `wording` says it.
"""
