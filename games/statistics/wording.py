"""Figures in the reader's language: how a mean, its spread and a share are said, and what the rows of tables are called."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import choosing
from games.engine.ruleset import Ruleset
from games.engine.rulesets import UnknownRuleset, ruleset
from games.statistics.figures import Mean, Result, Share
from games.statistics.reading import Detail, Variant
from rules import names


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table of results. `href` leads further; empty where there is nothing more."""

    label: str
    hands: int
    above: str
    points: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A row of what happened: how often, and what that is of, in words."""

    label: str
    count: str
    share: str


def too_few() -> str:
    """What stands in place of a figure that would rest on too little."""
    return _("too few hands")


def mean(figure: Mean) -> str:
    """ "+1.4 ± 0.8": the mean and its standard error."""
    if not figure.enough:
        return too_few()
    return _("%(mean)s ± %(error)s") % {"mean": signed(figure.mean), "error": decimal(figure.error)}


def share(figure: Share) -> str:
    """ "54 %"."""
    return _("%(percent)s %%") % {"percent": decimal(figure.percent, 0)} if figure.enough else too_few()


def signed(value: float) -> str:
    """One decimal with its sign, a true minus."""
    figure = decimal(abs(value))
    if figure == decimal(0.0):
        return figure
    return f"+{figure}" if value > 0 else f"−{figure}"


def decimal(value: float, places: int = 1) -> str:
    """A figure with so many decimals, as the reader's language writes it."""
    return str(number_format(round(value, places), places))  # by itself it cuts off what is beyond


def line(label: str, result: Result, href: str = "") -> Line:
    """A row for a result."""
    return Line(label, result.points.hands, share(result.above), mean(result.points), href)


def rules_of(variant: Variant) -> Ruleset | None:
    """The rules of a variant as they are now; None for one that is not offered any more."""
    try:
        return ruleset(variant[0], None, variant[1])
    except UnknownRuleset:
        return None


def variant_name(variant: Variant) -> str:
    """ "Troccas", "Troggu of Visp, 5 players"."""
    name, size = variant
    rules = rules_of(variant)
    try:
        called = choosing.game_name(name)
    except KeyError:
        called = name
    if rules is None or len(rules.sizes) == 1:
        return called
    players = ngettext("%(size)d player", "%(size)d players", size) % {"size": size}
    return _("%(game)s, %(players)s") % {"game": called, "players": players}


def in_rappen(variant: Variant) -> bool:
    """Whether scores are money."""
    rules = rules_of(variant)
    return rules is not None and any(option.name == "stake" for option in rules.options)


def month_name(month: int, *, short: bool = False) -> str:
    """ "November 2026"; short "Nov 26"."""
    day = date(month // 100, month % 100, 1)
    return str(date_format(day, "M y" if short else "YEAR_MONTH_FORMAT"))


def roles(found: Detail) -> list[Line]:
    """The results by whose game it was; nothing where nobody bids."""
    called = {
        "tappist": names.word("tappist").text,
        "soloist": names.word("solo").text,
        "partner": names.word("partner").text,
        "against": _("against the game of another"),
        "misere": names.word("misere").text,
    }
    return [line(label, found.by_role[role]) for role, label in called.items() if role in found.by_role]


def dealing(found: Detail) -> list[Line]:
    """The results as dealer, and as not."""
    return [line(_("when dealing"), found.by_dealer[True]), line(_("when another deals"), found.by_dealer[False])]


def happened(found: Detail, variant: Variant) -> list[Count]:
    """What happened in these hands, as far as the game knows it: tricks, honours, calls, what became of two cards."""
    facts, rules = found.happened, rules_of(variant)
    lines = [
        _per_hand(_("Tricks taken"), facts.per_hand["tricks"], facts.hands),
        _per_hand(_("Kings, I and XXI in them"), facts.per_hand["honours"], facts.hands),
    ]
    made = Share(facts.per_hand["calls_met"], facts.per_hand["calls"])
    if rules is not None and rules.call is not None:
        card = names.rank_name("J" if rules.call.below_king == 3 else "N")
        lines += [
            Count(_("Calls for the %(card)s made") % {"card": card}, str(made.of), _each(made.of, facts.hands)),
            _of(_("Calls met: the %(card)s came") % {"card": card}, made),
            Count(
                _("Own %(card)s called by another") % {"card": card},
                str(facts.per_hand["jacks_called"]),
                _each(facts.per_hand["jacks_called"], facts.hands),
            ),
        ]
    elif made.of:
        lines.append(_of(_("Called partners who were there"), made))
    return lines + [
        _of(_("Saved: %(card)s") % {"card": names.word(card).text}, facts.fates[card]) for card in ("fool", "bagat")
    ]


def _of(label: str, figure: Share) -> Count:
    counted = _("%(count)d of %(of)d") % {"count": figure.count, "of": figure.of}
    return Count(label, counted, share(figure))


def _per_hand(label: str, count: int, hands: int) -> Count:
    return Count(label, str(count), _each(count, hands))


def _each(count: int, hands: int) -> str:
    if not Share(count, hands).enough:
        return too_few()
    return _("%(figure)s a hand") % {"figure": decimal(count / hands, 2)}
