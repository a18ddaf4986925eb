"""The house rules of "How To Play Troccas!", a leaflet for four.

What the leaflet leaves open is read as `docs/rules.md` says (marked R).

Troccas as the published rules of Troccas Online have it, for four.

What those rules leave open is read as `docs/rules.md` says (marked R): mostly as in `troccas`.
"""

from __future__ import annotations

from typing import Final

from domain.engine.cards import COURTS, FOOL_BIT, TRUMP_CARDS
from domain.engine.counting import CardPoints, DifferenceToPar, ScartOfDealer, Singly
from domain.engine.dealing import CUTTING, DEALING, SCART
from domain.engine.fool import Excuse
from domain.engine.jack import ANSWER_TO_THE_CALL, EARLY_CALL
from domain.engine.ruleset import CallRule, PairRule, TalkRule
from domain.engine.rulesets import options
from domain.engine.rulesets.troccas import TROCCAS
from domain.engine.tricks import TRUMPS_FIRST

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
