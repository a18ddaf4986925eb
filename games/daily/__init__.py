"""The daily deal: one deal a day, the same for everybody. One person plays it with computer players, and is compared
with all others who played it."""
