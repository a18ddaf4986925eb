"""Why a card may or may not be played: one wording for the table and for the examples of the encyclopedia.

Rules and reasons are those of the engine (`domain.engine.Rule`, `domain.engine.legal`), cards and suits are codes.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from domain.engine import CODES, Illegality
from domain.engine.cards import letter_of
from domain.engine.fool import Excuse
from domain.engine.rulesets import ruleset as find_ruleset
from rules.text import names


def refusal(rule: str, *, card: str = "", suit: str = "", number: int = 0) -> str:
    """The rule that forbids something, and what to do instead, as one or two sentences to the player concerned.

    `card` is a code (`CK`), `suit` a letter (T for the trumps), `number` what the rule counts; in rules about a king
    and its companion, `number` is 2 for the cavalier and 0 for the jack (`domain.engine.Illegality`).
    """
    key = "follow-trumps" if rule in ("must-follow", "must-trump") and suit == "T" else rule
    text = _RULES.get(key)
    if text is None:
        return _("The rules do not allow that now.")
    return text % {
        "card": names.card_object(card) if card else "",
        "suit": names.suit_name(suit) if suit else "",
        "number": number,
        "companion": names.rank_name("N" if number == 2 else "J"),
    }


def why_illegal(broken: Illegality) -> str:
    """The rule that the engine reports as broken, in the words of `refusal`."""
    return refusal(
        str(broken.rule),
        card=CODES[broken.card] if broken.card is not None else "",
        suit=letter_of(broken.lane) if broken.lane is not None else "",
        number=broken.number,
    )


def permission(card: str, reason: str, *, ruleset: str, suit: str = "", pair: str = "", call: bool = False) -> str:
    """Why a card may be played now in the game `ruleset`, as one sentence or two to its holder.

    `reason` is one of `domain.engine.legal`, `suit` the suit to follow. `pair` is the companion that may be played with
    this king, `call` whether the jack may be called with it.
    """
    if call:
        return _("You may play it, and call the jack with it.")
    if pair:
        return _("You may play it, alone or together with %(card)s.") % {"card": names.card_object(pair)}
    if card == "F":
        return _fool(ruleset)
    values = {"suit": names.suit_name(suit)} if suit else {}
    if reason in ("follow", "trump") and not values:
        return ""
    return {
        "lead": lambda: _("You lead: every card may be played."),
        "lead-trump": lambda: _("The first trick is led with a trump."),
        "called": lambda: _("The jack was called from you: it must be played."),
        "withhold": lambda: _(
            "The Fool is your only trump. If you play another card, it stays in your hand to the last trick."
        ),
        "no-trump": lambda: _("You hold no trump: every card may be played. It can still win if no trump falls."),
        "free": lambda: _("The Fool was led: your card is free and says which suit must be followed."),
        "follow": lambda: _("It follows %(suit)s.") % values,
        "trump": lambda: _("You hold no %(suit)s: a trump must be played.") % values,
    }.get(reason, lambda: _("You can neither follow nor trump: every card may be played, but it cannot win."))()


def _fool(ruleset: str) -> str:
    rules = find_ruleset(ruleset)
    if rules.bidding is not None:
        return _("The Fool is the highest trump here.")
    how = rules.fool
    if isinstance(how, Excuse) and how.never_lost:
        return _("The Fool may always be played. It wins nothing, and your side keeps it.")
    if isinstance(how, Excuse) and how.captured_last:
        return _("The Fool may always be played. It wins nothing, and your side keeps it, but not in the last trick.")
    return _("The Fool may always be played. It wins nothing, and your side keeps it if it wins any trick.")


_RULES: Final = {
    "hand-over": gettext_lazy("This hand is over."),
    "pack-not-ready": gettext_lazy("The pack is not ready yet."),
    "not-asked": gettext_lazy("That is not what is asked now."),
    "not-in-hand": gettext_lazy("You do not hold %(card)s."),
    "must-follow": gettext_lazy("You hold %(suit)s and must follow."),
    "follow-trumps": gettext_lazy("Trumps were led and you hold some: play one of them."),
    "must-trump": gettext_lazy("You hold no %(suit)s, so you must play a trump."),
    "not-a-pair": gettext_lazy("Only a king and the %(companion)s of the same suit can be played together."),
    "pair-too-late": gettext_lazy(
        "King and %(companion)s go together only the first time their suit is led. That has been. Play one card."
    ),
    "pair-off-suit": gettext_lazy("King and %(companion)s go together only when their own suit is led. Play one card."),
    "knock-off": gettext_lazy("Nobody knocks at this table."),
    "knock-no-trump-lead": gettext_lazy("You may knock only when trumps are led."),
    "knock-not-highest": gettext_lazy("Only the player with the highest trump still out may knock."),
    "no-such-signal": gettext_lazy("Nothing is said with this card."),
    "wrong-number-of-cards": gettext_lazy("Choose exactly %(number)d cards."),
    "same-card-twice": gettext_lazy("You named %(card)s twice."),
    "honour-laid-away": gettext_lazy("You may not lay away %(card)s: it counts five points. Choose a cheaper card."),
    "cut-out-of-range": gettext_lazy("Lift at least one card and at most %(number)d."),
    "rounds-not-open": gettext_lazy("Your side is not far enough behind to ask for that deal."),
    "not-your-tricks": gettext_lazy(
        "An arrangement names every card of your own tricks once. Or leave them as they lie."
    ),
    "no-talk-now": gettext_lazy("You can only say something after the deal and before you play your first card."),
    "said-enough": gettext_lazy("You may say nothing more in this deal: you have spoken once in each of its rounds."),
    "silent-table": gettext_lazy("This table plays in silence: only allow, veto and liber are said."),
    "no-free-text": gettext_lazy("Only phrases of the phrase book are said at this table."),
    "unknown-phrase": gettext_lazy("That phrase is not in the phrase book."),
    "not-to-take": gettext_lazy(
        "You cannot take back %(card)s: only a numeral card of the suit that another player put down."
    ),
    "own-or-fool": gettext_lazy(
        "You cannot take back %(card)s: only a card that another player put down, and never the Fool."
    ),
    "no-jack-to-give": gettext_lazy("You do not hold the jack, so the Fool stays where it is."),
    "dealer-has-trumps": gettext_lazy("You hold a trump, so you may not throw the cards in any more."),
    "no-veto-before": gettext_lazy("The talk ended without a veto: you have decided already that the hand is played."),
    "one-card": gettext_lazy("Play one card at a time."),
    "must-lead-trump": gettext_lazy("The first trick is led with a trump or the Fool."),
    "jack-called": gettext_lazy("The jack has been called from you: you must play it."),
    "no-call-now": gettext_lazy(
        "The jack is called with its king, the first time the suit is led, before the jack is played."
    ),
    "fool-withheld": gettext_lazy("You have withheld the Fool: it stays in your hand to the last trick."),
    "taken-before": gettext_lazy("Somebody has taken the game already: pass, or play solo."),
    "only-together": gettext_lazy(
        "You may lay away %(card)s only together with all %(number)d cards of its set, or not at all."
    ),
    "not-to-call": gettext_lazy("Call one of the trumps from I to XX."),
    "not-these-packets": gettext_lazy("The cards are not dealt in these packets."),
}
