"""What somebody's hands came to, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.charts import Share, Variant
from games.statistics.selectors import Detail
from games.text.figures import Line, decimal, line, rules_of, share, too_few
from rules.text import names


@dataclass(frozen=True, slots=True)
class Count:
    """A row of what happened: how often, and what that is of, in words."""

    label: str
    count: str
    share: str


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
        _of(_("Saved: %(card)s") % {"card": names.card_name(code, in_sentence=True)}, facts.fates[fate])
        for code, fate in (("F", "fool"), ("T1", "bagat"))
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
