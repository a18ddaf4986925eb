"""What is written beside the game: the chat of a table, the chat of those who watch, and private notes.

`door` is the only way to write messages and agree about them, `notes` the way to notes, `moderating` what moderators do;
`rights` says who may read and write what and when, `seen` gives one viewer what they may read. The talk of the deal
(`domain.engine`, `games.conditional.plans`) is part of the game and not of this room.
"""
