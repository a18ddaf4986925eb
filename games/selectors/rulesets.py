"""The games that can be chosen, at a glance: how many play, with how many cards, how long, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from domain.bots.advice import LEVELS
from domain.bots.strength import Strength, measured
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset

ORDER: Final = (
    "troccas", "troccas-3", "troccas-3-singles", "troccas-5", "troccas-6", "troccas-oinkers", "troccas-online",
    "troggu", "troggu-st-niklaus", "troggu-graechen",
)  # fmt: skip
"""The order of the games in lists."""

_DRAWN: Final = ("troccas", "troccas-oinkers")


@dataclass(frozen=True, slots=True)
class Glance:
    id: str
    name: str
    sentence: str
    players: str
    cards: int
    sides: str
    length: str
    place: str


def glances() -> list[Glance]:
    return [glance(ruleset_id) for ruleset_id in ORDER]


_SENTENCES: Final = {
    "troccas": _("The classic: two against two, with talk between the rounds of the deal."),
    "troccas-3": _("Twenty-five cards in every hand, nobody to rely on, and tricks counted in threes."),
    "troccas-3-singles": _("The same for three, but every card counts its full value."),
    "troccas-5": _("Fifteen cards each, everyone for themselves; the dealer lays three away."),
    "troccas-6": _("Three against three, every second player a partner, and not a card left over."),
    "troccas-oinkers": _(
        "Trumps open the play, the cavalier is called in place of the jack, and the Fool is never lost."
    ),
    "troccas-online": _("The player of the king calls the jack with it; no talk, and card points are the score."),
    "troggu": _("One takes the Tapp and plays against all the others; the Fool is the highest trump."),
    "troggu-st-niklaus": _("As in Visp, but the fewest points win a Misere, and all honours may be laid away."),
    "troggu-graechen": _("The Tapp is dealt late, and when everybody passes the next player deals."),
}
_PLACES: Final = {
    "troccas-oinkers": _("a leaflet of players abroad"),
    "troccas-online": _("on the internet"),
    "troggu": _("Visp, Upper Valais"),
    "troggu-st-niklaus": _("St. Niklaus, Upper Valais"),
    "troggu-graechen": _("Grächen, Upper Valais"),
} | dict.fromkeys(ORDER[:5], _("Surselva"))


def glance(id: str) -> Glance:
    """One game in a few words. Raises UnknownRuleset."""
    rules = ruleset(id)
    cards = rules.pack.bit_count()
    return Glance(
        id, game_name(id), str(_SENTENCES[id]), _players(rules), cards, _sides(rules), _length(rules), str(_PLACES[id])
    )


def draws_partners(rules: Ruleset) -> bool:
    """Whether seats are drawn with cards before the first hand. In other games everybody stays where they sat down."""
    return rules.id in _DRAWN


_NAMES: Final = {
    "troccas": _("Troccas"),
    "troccas-3": _("Troccas for three"),
    "troccas-3-singles": _("Troccas for three, card by card"),
    "troccas-5": _("Troccas for five"),
    "troccas-6": _("Troccas for six"),
    "troccas-oinkers": _("Troccas by house rules"),
    "troccas-online": _("Troccas as played online"),
    "troggu": _("Troggu of Visp"),
    "troggu-st-niklaus": _("Troggu of St. Niklaus"),
    "troggu-graechen": _("Troggu of Grächen"),
}


def game_name(id: str, unknown: str = "") -> str:
    """The name of a game; `unknown` for a game that is not offered any more. Raises KeyError if that is not given."""
    return str(_NAMES.get(id, unknown) if unknown else _NAMES[id])


def _players(rules: Ruleset) -> str:
    few, many = rules.sizes[0], rules.sizes[-1]
    if few == many:
        return str(few)
    return gettext("%(few)d to %(many)d") % {"few": few, "many": many}


def _sides(rules: Ruleset) -> str:
    if rules.bidding is not None:
        if rules.sizes[-1] >= rules.bidding.partner_from:
            return gettext("one against all; from seven players with a secret partner")
        return gettext("one against all")
    if len(set(rules.sides)) == rules.seats:
        return gettext("everyone alone")
    return gettext("%(half)d against %(half)d") % {"half": rules.seats // 2}


def _length(rules: Ruleset) -> str:
    if len(rules.sizes) > 1:
        return gettext("a hand for each player")
    hands = int(rules.settled_options({})["hands"])
    return ngettext("%(hands)d hand", "%(hands)d hands", hands) % {"hands": hands}


@dataclass(frozen=True, slots=True)
class Measured:
    """How much stronger than beginners the levels of computer players are in one game, for each level that was
    measured."""

    name: str
    seats: int
    rappen: bool
    levels: dict[str, Strength]

    @property
    def shown(self) -> tuple[Strength | None, ...]:
        """The strength of each level above the beginners, from weak to strong; None where it was not measured."""
        return tuple(self.levels.get(level) for level in LEVELS[1:])


def strengths() -> list[Measured]:
    """The games in which computer players were measured, in the order of the list of games."""
    games: dict[tuple[str, int], Measured] = {}
    for each in sorted(measured(), key=lambda each: (ORDER.index(each.ruleset), each.seats)):
        rules = ruleset(each.ruleset)
        game = Measured(game_name(each.ruleset), each.seats, rules.bidding is not None, {})
        games.setdefault((each.ruleset, each.seats), game).levels[each.level] = each
    return list(games.values())
