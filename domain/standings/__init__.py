"""Who stands where on a club evening and in a season, and who gets which prize: pure Python, usable by itself.

    evening = Evening(HouseRules(), (Entrant("ada"), …), (Round(1, (Table(1, (("ada", "leo"), ("mia", "noe")), deals, 72),)), …))
    standings = rank(evening)
    why(standings, "ada", "leo")        # the criterion that puts one before the other, with both values

`profile` holds a club's house rules, `results` what was written at the tables, `rounds` what every entrant has from each
round, `criteria` what ranks them, `ranking` the list. `season` adds up evenings, `prizes` gives prizes and keeps the books.
Whole numbers only: points, match points, Rappen. docs/standings.md explains every rule to those who run a club.
"""
