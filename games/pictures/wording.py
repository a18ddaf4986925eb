"""The words on a picture, and those that stand for it where it cannot be seen."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from games import choosing, wording
from games.pictures.drawing import Words
from games.seen import Replay
from games.wording_people import listed
from rules import names


def words(replay: Replay) -> Words:
    """What a picture of this moment says, in the reader's language; nobody is spoken to, for others look at it too."""
    game = choosing.game_name(replay.ruleset)
    trick = replay.trick or replay.last_trick
    heading = _("%(game)s, hand %(number)d") % {"game": game, "number": replay.hand}
    under = _("Trick %(number)d") % {"number": trick.number} if trick is not None else _("Before the play")
    sentence = _sentence(replay)
    cards = listed([names.card_short(card.code) for card in trick.cards]) if trick is not None else ""
    lying = _("%(trick)s: %(cards)s.") % {"trick": under, "cards": cards} if cards else ""
    description = " ".join(part for part in (f"{heading}.", sentence, lying) if part)
    return Words(heading, sentence, under, urlsplit(settings.SITE_URL).netloc, description)


def _sentence(replay: Replay) -> str:
    if not replay.step:
        return _("The pack lies ready. Nobody has acted yet.")
    return " ".join(wording.line(line, replay) for line in replay.steps[replay.step - 1].lines)
