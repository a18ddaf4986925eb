"""Troccas for four in fixed partnerships, the principal game of the Surselva, and for three, five and six.

Source: pagat.com, "Troccas". Also two more games for four: the house rules of the leaflet "How To Play Troccas!", and
the published rules of Troccas Online. Where these leave something open, `docs/rules.md` gives our reading (marked R).
"""

from __future__ import annotations

from typing import Final

from domain.engine.cards import COURTS, FOOL_BIT, FULL_PACK, TRUMP_CARDS
from domain.engine.counting import CardPoints, DifferenceToPar, GroupsOf, ScartOfDealer, Singly
from domain.engine.dealing import ARRANGING, CUTTING, DEALING, DEMANDS, SCART
from domain.engine.fool import EXCUSE, Excuse
from domain.engine.jack import ANSWER_TO_THE_CALL, CALL, EARLY_CALL, TAKE_BACK
from domain.engine.ruleset import (
    DEMANDS_OPTION,
    HANDS_OPTION,
    KNOCK_OPTION,
    TALK_OPTION,
    THROW_IN_OPTION,
    CallRule,
    PairRule,
    Ruleset,
    TalkRule,
)
from domain.engine.tricks import PLAY, TRUMPS_FIRST

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
    options=(HANDS_OPTION, TALK_OPTION, THROW_IN_OPTION, DEMANDS_OPTION, KNOCK_OPTION),
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
    options=(HANDS_OPTION, KNOCK_OPTION),
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
    options=(HANDS_OPTION,),
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
    options=(HANDS_OPTION, TALK_OPTION, THROW_IN_OPTION, KNOCK_OPTION),
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
    options=(HANDS_OPTION, KNOCK_OPTION),
)
