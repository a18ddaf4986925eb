"""Troccas for four, in fixed partnerships: the principal game of the Surselva.

Source: pagat.com, "Troccas", the four-player game. What the text leaves open is read as `docs/rules.md` says (marked R).
"""

from __future__ import annotations

from typing import Final

from games.engine.cards import FULL_PACK
from games.engine.counting import DifferenceToPar, GroupsOf
from games.engine.dealing import ARRANGING, CUTTING, DEALING, DEMANDS, SCART
from games.engine.fool import EXCUSE
from games.engine.jack import CALL, TAKE_BACK
from games.engine.ruleset import CallRule, Option, PairRule, Ruleset, TalkRule
from games.engine.tricks import PLAY

HANDS: Final = Option("hands", 4, low=1, high=16)
KNOCK: Final = Option("knock", False)
DEMANDS_OPTION: Final = Option("demands", True)
TALK_OPTION: Final = Option("talk", "phrases", choices=("phrases", "silent", "free"))
THROW_IN: Final = Option("throw_in", True)

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
    count=GroupsOf(4, less=3, rest_less=1),
    settlement=DifferenceToPar(36),
    options=(HANDS, TALK_OPTION, THROW_IN, DEMANDS_OPTION, KNOCK),
)
