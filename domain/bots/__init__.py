"""Computer players: from what one seat may know to an action. Pure Python, nothing of the site, never a whole hand.

`advice.choose` returns the action of a computer player, `advice.advise` an action with a reason.
"""
