"""Troccas for four in fixed partnerships, the principal game of the Surselva, and for three, five and six.

Source: pagat.com, "Troccas". What the text leaves open is read as `docs/rules.md` says (marked R).
"""

from __future__ import annotations

from typing import Final

from domain.engine.cards import FULL_PACK
from domain.engine.counting import DifferenceToPar, GroupsOf, ScartOfDealer, Singly
from domain.engine.dealing import ARRANGING, CUTTING, DEALING, DEMANDS, SCART
from domain.engine.fool import EXCUSE
from domain.engine.jack import CALL, TAKE_BACK
from domain.engine.ruleset import CallRule, PairRule, Ruleset, TalkRule
from domain.engine.rulesets import options
from domain.engine.tricks import PLAY

TROCCAS: Final = Ruleset(
    id="troccas",
    version=1,
    seats=4,
    sides=(0, 1, 0, 1),
    pack=FULL_PACK,
    course=(DEMANDS, ARRANGING, CUTTING, DEALING, SCART, PLAY),
    batches={3: (6, 6, 7), 2: (9, 10), 1: (19,)},
    dealer_extra=2,
    scart=2,
    talk=TalkRule(speakers=2, third_frees_dealer=True),
    call=CallRule(below_king=3, exempting=True),
    pair=PairRule(below_king=3),
    after_trick=(TAKE_BACK, CALL),
    fool=EXCUSE,
    laid_away=ScartOfDealer(sweeper_takes_it=True),
    count=GroupsOf(4, less=3, rest_less=1),
    settlement=DifferenceToPar(36),
    options=(options.HANDS, options.TALK, options.THROW_IN, options.DEMANDS, options.KNOCK),
)

TROCCAS_6: Final = TROCCAS.variant(
    "troccas-6",
    seats=6,
    sides=(0, 1, 0, 1, 0, 1),
    course=(CUTTING, DEALING, PLAY),
    batches={2: (6, 7)},
    dealer_extra=0,
    scart=0,
    talk=None,
    options=(options.HANDS, options.KNOCK),
)

TROCCAS_3: Final = TROCCAS.variant(
    "troccas-3",
    seats=3,
    sides=(0, 1, 2),
    course=(CUTTING, DEALING, SCART, PLAY),
    batches={5: (5, 5, 5, 5, 5)},
    dealer_extra=3,
    scart=3,
    talk=None,
    call=None,
    after_trick=(TAKE_BACK,),
    count=GroupsOf(3, less=2),
    settlement=DifferenceToPar(26),
    options=(options.HANDS,),
)

TROCCAS_3_SINGLES: Final = TROCCAS_3.variant(
    "troccas-3-singles",
    count=Singly(scart_less=1),
    settlement=DifferenceToPar(42, dealer_par=43),
)

TROCCAS_5: Final = TROCCAS_3_SINGLES.variant(
    "troccas-5",
    seats=5,
    sides=(0, 1, 2, 3, 4),
    batches={3: (5, 5, 5)},
    settlement=DifferenceToPar(25, dealer_par=27),
)
