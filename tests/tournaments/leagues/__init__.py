"""Whole leagues and duplicates online with a turned clock, through the real doors and pages, and a judge who adds up anew.

`league` is the script; `players` act in the games, `mishaps` let the process die; `replay` reads the logs of the games,
`books` what was decided, `counting` and `luck` work out standings and ratings from them alone; `shown` reads what the
site says, `sealed` exchanges what nobody may see, and `judge` compares.
"""
