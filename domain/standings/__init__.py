"""The standings of a club evening and of a season, and the prizes: pure Python, usable by itself.

    evening = Evening(HouseRules(), (Entrant("ada"), …), (Round(1, (Table(1, (("ada", "leo"), ("mia", "noe")), deals, 72),)), …))
    standings = rank(evening)
    why(standings, "ada", "leo")        # the criterion that puts one before the other, with both values

`profile` defines a club's house rules, `results` what was written at the tables, `rounds` what each round brought to
every entrant, `criteria` the criteria that rank them, `ranking` the list. `season` adds up evenings, `prizes` awards
prizes, `till` adds up the money. Whole numbers only: points, match points, Rappen. docs/standings.md explains every
rule to organisers.
"""
