"""How well people play, in points per deal, and how sure that is: pure Python, usable by itself.

    log = (Result("t1", 20413, "troccas", PARTNERS, 8, ((("ada", "leo"), 301), (("mia", "noe"), 275))), …)
    pool = rate(log)["troccas"]
    pool.players["ada"].mean, pool.players["ada"].spread
    pool.pairs["ada", "leo"]
    pool.chances((("ada", "mia"), ("leo", "noe")), deals=8)

`results` holds the results, which tables played the same deals, and the model of how much luck there is in a game;
`fitting` estimates that model from the results. `skills` rates two sides by their margin, and players who play for
themselves by their scores above the mean of the table; it combines all matches and finds players who cannot be told
apart. `rate` is the entry point. docs/ratings.md explains it all to the players who are rated.
"""
