"""The daily deal: one deal a day, the same for everybody; one person against computer players, compared with all who played it."""
