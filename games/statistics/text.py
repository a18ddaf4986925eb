"""Statistics of hands in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.registry import Fact
from games.charts import Share, Variant
from games.models import PlayedSeat
from games.statistics.permissions import may_see
from games.statistics.selectors import Detail
from games.text.figures import Line, decimal, line, rules_of, share, too_few
from rules.text import names


@dataclass(frozen=True, slots=True)
class Count:
    """A row of a table of events: a label, how often it happened, and its share, in words."""

    label: str
    count: str
    share: str


def facts(shown: Player, viewer: Player | None) -> list[Fact]:
    """A line on the page of `shown` that leads to their statistics, for viewers who may see them (`accounts.registry`).

    Four queries at most.
    """
    if not may_see(shown, viewer):
        return []
    number = PlayedSeat.objects.filter(player=shown).count()
    if not number:
        return []
    hands = ngettext("%(number)d hand", "%(number)d hands", number) % {"number": number}
    return [Fact(_("Statistics"), hands, reverse("statistics:person", args=[shown.public_id]))]


def roles(detail: Detail) -> list[Line]:
    """The results by the player's role; empty for games without bidding."""
    labels = {
        "tappist": names.word("tappist").text,
        "soloist": names.word("solo").text,
        "partner": names.word("partner").text,
        "against": _("against the game of another"),
        "misere": names.word("misere").text,
    }
    return [line(label, detail.by_role[role]) for role, label in labels.items() if role in detail.by_role]


def dealing(detail: Detail) -> list[Line]:
    """The results as dealer, and when others deal."""
    return [line(_("when dealing"), detail.by_dealer[True]), line(_("when another deals"), detail.by_dealer[False])]


def happened(detail: Detail, variant: Variant) -> list[Count]:
    """What happened in these hands: tricks, honours, calls (if the game has them), and the fate of two cards."""
    facts, rules = detail.happened, rules_of(variant)
    lines = [
        _per_hand(_("Tricks taken"), facts.per_hand["tricks"], facts.hands),
        _per_hand(_("Kings, I and XXI in them"), facts.per_hand["honours"], facts.hands),
    ]
    calls = Share(facts.per_hand["calls_met"], facts.per_hand["calls"])
    if rules is not None and rules.call is not None:
        card = names.rank_name("J" if rules.call.below_king == 3 else "N")
        lines += [
            Count(_("Calls for the %(card)s made") % {"card": card}, str(calls.of), _each(calls.of, facts.hands)),
            _of(_("Calls met: the %(card)s came") % {"card": card}, calls),
            Count(
                _("Own %(card)s called by another") % {"card": card},
                str(facts.per_hand["jacks_called"]),
                _each(facts.per_hand["jacks_called"], facts.hands),
            ),
        ]
    elif calls.of:
        lines.append(_of(_("Called partners who were there"), calls))
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
