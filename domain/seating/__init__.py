"""Seating for a club evening: pure Python, usable by itself; the site adds pages.

    field = Field(entrants=(Entrant("ada", groups=("Sagogn",)), …), rounds=(Past(tables=…),), absent=frozenset({"leo"}))
    seating = seat("draw", field, FOR_PLAYERS, seed)

`seat` is the entry point (the formats are in `methods`), `why` explains a place, `dryrun` previews an evening, and
`files` defines what is published so that anybody can repeat a draw: `python -m domain.seating verify FILE`.
"""
