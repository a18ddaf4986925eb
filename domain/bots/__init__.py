"""Computer players: from what one seat may know to an action. Pure Python, nothing of the site, never a whole hand.

`advice.choose` is what a computer player does, `advice.advise` the same with the reason.
"""
