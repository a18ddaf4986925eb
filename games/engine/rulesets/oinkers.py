"""The house rules of "How To Play Troccas!", a leaflet for four.

What the leaflet leaves open is read as `docs/rules.md` says (marked R).
"""

from __future__ import annotations

from typing import Final

from games.engine.cards import COURTS, FOOL_BIT, TRUMP_CARDS
from games.engine.counting import DifferenceToPar, ScartOfDealer, Singly
from games.engine.dealing import CUTTING, DEALING, SCART
from games.engine.fool import Excuse
from games.engine.ruleset import CallRule, PairRule, TalkRule
from games.engine.rulesets import options
from games.engine.rulesets.troccas import TROCCAS
from games.engine.trumps_first import TRUMPS_FIRST

TROCCAS_OINKERS: Final = TROCCAS.variant(
    "troccas-oinkers",
    clockwise=True,
    course=(CUTTING, DEALING, SCART, TRUMPS_FIRST),
    batches={3: (7, 7, 5)},
    cut_card_shown=False,
    talk=TalkRule(speakers=2, third_frees_dealer=False, dealer_lacks=TRUMP_CARDS | FOOL_BIT | COURTS),
    call=CallRule(below_king=2, exempting=False),
    pair=PairRule(below_king=2, takes_back="any"),
    fool=Excuse(never_lost=True),
    laid_away=ScartOfDealer(sweeper_takes_it=False),
    count=Singly(),
    settlement=DifferenceToPar(65),
    options=(options.HANDS, options.TALK, options.THROW_IN, options.KNOCK),
)
