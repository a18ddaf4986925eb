"""Who sits where on a club evening: pure Python, usable by itself; the site adds pages.

    field = Field(entrants=(Entrant("ada", groups=("Sagogn",)), …), rounds=(Past(tables=…),), absent=frozenset({"leo"}))
    seating = seat("draw", field, FOR_PLAYERS, seed)

`seat` is the entry point (formats in `methods`), `why` explains a place, `dryrun` tells beforehand what an evening would be like,
`files` is what is published so that anybody can draw again: `python -m domain.seating verify FILE`.
"""
