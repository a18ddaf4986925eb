"""Troccas as the published rules of Troccas Online have it, for four.

What those rules leave open is read as `docs/rules.md` says (marked R): mostly as in `troccas`.
"""

from __future__ import annotations

from typing import Final

from games.engine.counting import CardPoints, ScartOfDealer
from games.engine.dealing import CUTTING, DEALING, SCART
from games.engine.early_call import ANSWER_TO_THE_CALL, EARLY_CALL
from games.engine.fool import Excuse
from games.engine.ruleset import CallRule
from games.engine.rulesets import options
from games.engine.rulesets.troccas import TROCCAS

TROCCAS_ONLINE: Final = TROCCAS.variant(
    "troccas-online",
    clockwise=True,
    course=(CUTTING, DEALING, SCART, EARLY_CALL),
    batches={3: (6, 6, 7)},
    talk=None,
    call=CallRule(below_king=3, exempting=False),
    pair=None,
    after_trick=(ANSWER_TO_THE_CALL,),
    fool=Excuse(captured_last=True),
    laid_away=ScartOfDealer(sweeper_takes_it=False),
    settlement=CardPoints(),
    options=(options.HANDS, options.KNOCK),
)
