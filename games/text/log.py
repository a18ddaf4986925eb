"""The sentences of the log: each kind of line has one addressed to the reader ("You play …") and one about another
player.

Also the sentences about taking back and about ending the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import capfirst, in_a_row, joined
from games.read_models import Line, Replay, Sight, UndoSeen
from games.text import common
from games.text.common import Company, amount, as_it_was, is_you, name_of, seats_named, side_names
from rules.terms import reading_language
from rules.text import names

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as Promised

T = TypeVar("T")


def log_line(line: Line, sight: Company) -> str:
    """A line of the log as a sentence in the reader's language, with the names of the players who sat there at the
    time."""
    sight = as_it_was(sight, line.then)
    if line.kind in common.TIME_KINDS:
        return common.time_line(line, sight)
    if line.kind in UNDO_KINDS:
        return undo_line(line, sight)
    name = _stand_in(line.seat, sight) if line.stand_in and line.seat is not None else line.name
    you = is_you(line.seat, sight) and not name
    fields = {
        "name": name or (name_of(line.seat, sight) if line.seat is not None else ""),
        "cards": in_a_row([names.card_object(code) for code in line.cards]),
        "card": names.card_object(line.cards[0]) if line.cards else "",
        "label": names.card_label(line.cards[0]) if line.cards else "",
        "trump": capfirst(names.card_object(line.cards[0])) if line.cards else "",
        "back": names.card_object(line.cards[1]) if len(line.cards) > 1 else "",
        "number": line.count,
    }
    if line.kind in _ABOUT_ALL:
        return _about_all(line, sight)
    if line.kind == "spoke":
        return _spoke(line, fields, you=you)
    if line.kind in ("trick-led", "trick-played", "played"):
        return _played(line, you=you) % fields
    if line.kind == "throw-in" and line.phrases:
        return _spoke(line, fields, you=you)
    own, other = _pair(line)
    return (own if you else other) % fields


def _stand_in(seat: int, sight: Company) -> str:
    """The name of the computer player that acted for the player at `seat`, who was away."""
    if is_you(seat, sight):
        return _("A computer player (for you)")
    return _("A computer player (for %(name)s)") % {"name": name_of(seat, sight)}


def just_now(replay: Replay) -> str:
    """The last action before a moment of a deal, as sentences."""
    if not replay.step:
        return _("The pack lies ready. Nobody has acted yet.")
    return joined(" ", [log_line(line, replay) for line in replay.steps[replay.step - 1].lines])


_ABOUT_ALL = (
    "drawn", "hand-played", "hand-thrown-in", "hand-passed", "game-finished", "expired", "called-off", "dealt", "misere",
    "tapp-shown", "ended",
)  # fmt: skip


_ENDS: Final = {
    "hand-thrown-in": gettext_lazy("The cards are thrown in; the same dealer deals again."),
    "hand-passed": gettext_lazy("The hand is passed."),
    "expired": gettext_lazy("The game is closed: nobody came back."),
    "called-off": gettext_lazy("The tournament has ended this game."),
    "ended": gettext_lazy("All have agreed to end the game here."),
}


def _about_all(line: Line, sight: Company) -> str:
    if line.kind == "drawn":
        sides = {"one": side_names(sight, 0), "other": side_names(sight, 1)} if len(sight.parties) == 2 else {}
        return _("The partners are drawn: %(one)s against %(other)s.") % sides if sides else _("The seats are drawn.")
    if line.kind == "dealt":
        return _("The cards of round %(number)d are dealt.") % {"number": line.count}
    if line.kind == "misere":
        return _("Everybody has passed. Misere: everyone plays alone and avoids points.")
    if line.kind == "tapp-shown":
        cards = in_a_row([names.card_short(code) for code in line.cards])
        if line.verb == "normal":
            return _("Laid away were: %(cards)s.") % {"cards": cards}
        return _("In the Tapp lay: %(cards)s.") % {"cards": cards}
    if line.kind == "hand-played" and line.points and (len(line.points) > 2 or line.parties not in ((), sight.parties)):
        return _parties_counted(line, sight)
    if line.kind == "hand-played" and len(line.points) == 2:
        return _("Hand over: %(one)s %(one_points)d points, %(other)s %(other_points)d.") % {
            "one": side_names(sight, 0),
            "one_points": line.points[0],
            "other": side_names(sight, 1),
            "other_points": line.points[1],
        }
    if line.kind == "game-finished":
        totals = [
            _("%(side)s %(total)s") % {"side": side_names(sight, side), "total": amount(sight.totals[party[0]], sight)}
            for side, party in enumerate(sight.parties)
        ]
        return _("The game is over: %(totals)s.") % {"totals": joined("; ", totals)}
    return str(_ENDS.get(line.kind, gettext_lazy("The hand is over.")))


def _parties_counted(line: Line, sight: Company) -> str:
    """The result of a hand in a game whose sides change from hand to hand, or in which everybody plays alone."""
    parties = line.parties or sight.parties
    sides = [
        _("%(side)s %(points)d") % {"side": seats_named(party, sight), "points": points}
        for party, points in zip(parties, line.points, strict=True)
    ]
    return _("Hand over, card points: %(sides)s.") % {"sides": joined("; ", sides)}


def _played(line: Line, *, you: bool) -> str:
    if line.verb == "buob":
        return _("You play %(cards)s and call: buob!") if you else _("%(name)s plays %(cards)s and calls: buob!")
    if line.verb == "knock":
        return _("You play %(cards)s and knock.") if you else _("%(name)s plays %(cards)s and knocks.")
    if line.kind == "trick-led":
        return _("You lead %(cards)s.") if you else _("%(name)s leads %(cards)s.")
    return _("You play %(cards)s.") if you else _("%(name)s plays %(cards)s.")


def _spoke(line: Line, fields: Mapping[str, object], *, you: bool) -> str:
    quotes = [_quoted(phrase) for phrase in line.phrases]
    if line.words:
        quotes.append(_("“%(words)s”") % {"words": line.words})
    own, other = {
        "allow": (_("You allow a throw-in"), _("%(name)s allows a throw-in")),
        "veto": (_("You say veto"), _("%(name)s says veto")),
        "liber": (_("You say liber"), _("%(name)s says liber")),
        "say": (_("You say"), _("%(name)s says")),
        "go": (_("You go on with these cards"), _("%(name)s goes on with these cards")),
        "throw-in": (_("You throw the cards in"), _("%(name)s throws the cards in")),
    }.get(line.verb, (_("You speak"), _("%(name)s speaks")))
    start = (own if you else other) % fields
    if not quotes:
        return start + "."
    return _("%(sentence)s: %(quoted)s.") % {"sentence": start, "quoted": joined("; ", quotes)}


def _quoted(phrase_id: str) -> str:
    """A phrase with its meaning; without, if that is not available in the reader's language, as a line is in one
    language."""
    phrase = names.by_id(phrase_id)
    if phrase.lang != reading_language():
        return _("“%(words)s”") % {"words": phrase.romansh}
    fields = {"phrase": phrase.romansh, "literal": phrase.literal, "tells": phrase.tells}
    return (_("“%(phrase)s” (%(literal)s: %(tells)s)") if phrase.literal else _("“%(phrase)s” (%(tells)s)")) % fields


def _pair(line: Line) -> tuple[Promised, Promised]:
    """The sentence addressed to the reader and the one about another player, with placeholders."""
    if line.kind in ("called", "answered", "bid"):
        return _VERBS[line.verb]
    if line.kind in ("scart-laid", "discarded") and not line.cards:
        return _("You lay cards away."), _("%(name)s lays cards away.")
    if line.kind == "cut" and not line.count:
        return _("You cut the pack."), _("%(name)s cuts the pack.")
    if line.kind == "asked-deal" and line.count == 3:
        return _("You ask for the usual deal."), _("%(name)s asks for the usual deal.")
    if line.kind == "asked-deal":
        return (
            ngettext(
                "You ask for the deal in %(number)d round.", "You ask for the deal in %(number)d rounds.", line.count
            ),
            ngettext(
                "%(name)s asks for the deal in %(number)d round.",
                "%(name)s asks for the deal in %(number)d rounds.",
                line.count,
            ),
        )
    return _EVENTS.get(line.kind, (_SOMETHING, _SOMETHING))


_SOMETHING: Final = gettext_lazy("Something happens at the table.")
_VERBS: Final = {
    "pass": (gettext_lazy("You pass."), gettext_lazy("%(name)s passes.")),
    "take": (gettext_lazy("You take the game: “ich nehm’s”."), gettext_lazy("%(name)s takes the game: “ich nehm’s”.")),
    "solo": (gettext_lazy("You play a Solo."), gettext_lazy("%(name)s plays a Solo.")),
    "buob": (gettext_lazy("You call: buob!"), gettext_lazy("%(name)s calls: buob!")),
    "buob-sche": (gettext_lazy("You call: buob, sche!"), gettext_lazy("%(name)s calls: buob, sche!")),
    "buob-cavalier": (gettext_lazy("You call the cavalier."), gettext_lazy("%(name)s calls the cavalier.")),
    "quiet": (gettext_lazy("You do not call."), gettext_lazy("%(name)s does not call.")),
    "give": (gettext_lazy("You give the jack."), gettext_lazy("%(name)s gives the jack.")),
    "give-cavalier": (gettext_lazy("You give the cavalier."), gettext_lazy("%(name)s gives the cavalier.")),
    "keep": (gettext_lazy("You leave the Fool where it is."), gettext_lazy("%(name)s leaves the Fool where it is.")),
}
"""For each verb two sentences: one addressed to the reader, and one about another player."""


_EVENTS: Final = {
    "sat": (gettext_lazy("You come to the table."), gettext_lazy("%(name)s sits down.")),
    "ready": (gettext_lazy("You are ready."), gettext_lazy("%(name)s is ready.")),
    "resigned": (
        gettext_lazy("You leave the table, and the game ends."),
        gettext_lazy("%(name)s leaves the table, and the game ends."),
    ),
    "end-proposed": (gettext_lazy("You propose to end the game."), gettext_lazy("%(name)s proposes to end the game.")),
    "end-agreed": (gettext_lazy("You agree to end the game."), gettext_lazy("%(name)s agrees to end the game.")),
    "end-declined": (
        gettext_lazy("You do not want to end the game."),
        gettext_lazy("%(name)s does not want to end the game."),
    ),
    "end-withdrawn": (
        gettext_lazy("You take back your proposal to end the game."),
        gettext_lazy("%(name)s takes back the proposal to end the game."),
    ),
    "claimed": (
        gettext_lazy("You show your cards: every trick that is left is yours."),
        gettext_lazy("%(name)s shows the cards: every trick that is left goes to %(name)s."),
    ),
    "arranged": (
        gettext_lazy("You arrange the cards of your tricks."),
        gettext_lazy("%(name)s has arranged the cards."),
    ),
    "cut": (gettext_lazy("You cut, lifting %(number)d."), gettext_lazy("%(name)s cuts, lifting %(number)d.")),
    "scart-laid": (gettext_lazy("You lay away %(cards)s."), gettext_lazy("%(name)s lays away %(cards)s.")),
    "throw-in": (gettext_lazy("You throw the cards in."), gettext_lazy("%(name)s throws the cards in.")),
    "discarded": (gettext_lazy("You lay away %(cards)s."), gettext_lazy("%(name)s lays away %(cards)s.")),
    "packets": (
        gettext_lazy("You choose the packets of the deal."),
        gettext_lazy("%(name)s chooses the packets of the deal."),
    ),
    "partner-called": (
        gettext_lazy("You call %(card)s: whoever holds it plays with you."),
        gettext_lazy("%(name)s calls %(card)s: whoever holds it is the partner."),
    ),
    "must-play": (
        gettext_lazy("Nobody has taken the game. You hold %(card)s and must play."),
        gettext_lazy("Nobody has taken the game. %(name)s holds %(card)s and must play."),
    ),
    "partner-shown": (
        gettext_lazy("%(trump)s falls: you are the partner, and all know it now."),
        gettext_lazy("%(trump)s falls: %(name)s is the partner."),
    ),
    "alone-shown": (
        gettext_lazy("%(trump)s falls from your own hand: you play alone."),
        gettext_lazy("%(trump)s falls from the hand of %(name)s, who plays alone."),
    ),
    "took": (gettext_lazy("You take back %(card)s."), gettext_lazy("%(name)s takes back %(card)s.")),
    "jack-given": (
        gettext_lazy("You put %(card)s into the trick and take back %(back)s."),
        gettext_lazy("%(name)s puts %(card)s into the trick and takes back %(back)s."),
    ),
    "jack-kept": (
        gettext_lazy("You hold %(card)s and keep it: you played the queen or the cavalier."),
        gettext_lazy("%(name)s holds %(card)s and keeps it: the queen or the cavalier was played for it."),
    ),
    "no-jack": (gettext_lazy("%(label)s does not come."), gettext_lazy("%(label)s does not come.")),
    "jack-back": (
        gettext_lazy("There is nothing to take: you take %(card)s back into your hand."),
        gettext_lazy("There is nothing to take: %(name)s takes %(card)s back into the hand."),
    ),
    "taken-back": (
        gettext_lazy("For %(card)s, %(back)s goes to your hand."),
        gettext_lazy("For %(card)s, %(back)s goes to %(name)s."),
    ),
    "trick-won": (gettext_lazy("You win trick %(number)d."), gettext_lazy("%(name)s wins trick %(number)d.")),
    "fool-owed": (
        gettext_lazy("The Fool goes back to you: your side owes a low card for it."),
        gettext_lazy("The Fool goes back to %(name)s: that side owes a low card for it."),
    ),
    "fool-paid": (
        gettext_lazy("You are paid a low card for the Fool."),
        gettext_lazy("%(name)s is paid a low card for the Fool."),
    ),
    "hinted": (
        gettext_lazy("You ask for a hint. This hand does not count in statistics."),
        gettext_lazy("%(name)s asks for a hint. This hand does not count in statistics."),
    ),
    "fool-lost": (
        gettext_lazy("The Fool goes to you: its side won no trick."),
        gettext_lazy("The Fool goes to %(name)s: its side won no trick."),
    ),
}
"""For each kind of line two sentences: one addressed to the reader, and one about another player."""


UNDO_KINDS: Final = frozenset(
    {"undo-proposed", "undo-agreed", "undo-declined", "undo-withdrawn", "undo-lapsed", "undone", "undone-alone"}
)
"""The lines of the log that are worded here."""


def _of_undo(verb: str, card: T, discard: T, other: T) -> T:
    """The text for taking back a card, a discard, or anything else, by the verb of the action."""
    return {"play": card, "scart": discard, "discard": discard}.get(verb, other)


def undo_offer(undo: UndoSeen) -> str:
    """The label of the button with which the viewer asks to take something back."""
    return _of_undo(undo.verb, _("Take my card back"), _("Lay away other cards"), _("Choose again"))


def undo_proposal(sight: Sight) -> str:
    """The proposal to take something back, as a sentence; empty if there is none."""
    undo = sight.undo
    if undo is None or undo.by is None:
        return ""
    if undo.by == sight.viewer:
        sentence = _of_undo(
            undo.verb,
            _("You ask to take your card back. Waiting for %(waits)s."),
            _("You ask to lay away other cards. Waiting for %(waits)s."),
            _("You ask to choose again. Waiting for %(waits)s."),
        )
    elif undo.mine:
        sentence = _of_undo(
            undo.verb,
            _("%(name)s asks to take a card back. Do you agree?"),
            _("%(name)s asks to lay away other cards. Do you agree?"),
            _("%(name)s asks to choose again. Do you agree?"),
        )
    else:
        sentence = _of_undo(
            undo.verb,
            _("%(name)s asks to take a card back. Waiting for %(waits)s."),
            _("%(name)s asks to lay away other cards. Waiting for %(waits)s."),
            _("%(name)s asks to choose again. Waiting for %(waits)s."),
        )
    waits = in_a_row([name_of(seat, sight) for seat in undo.waits if seat != sight.viewer])
    return sentence % {"name": name_of(undo.by, sight), "waits": waits}


def ending_proposal(sight: Sight) -> str:
    """The proposal to end the game, as a sentence; empty if there is none."""
    proposal = sight.ending
    if proposal is None or proposal.by is None:
        return ""
    if proposal.counts:
        own = _("You propose to end the game here: the score stands as it is.")
        other = _("%(name)s proposes to end the game here: the score stands as it is.")
    else:
        own = _("You propose to end the game here: it does not count.")
        other = _("%(name)s proposes to end the game here: it does not count.")
    sentence = own if proposal.by == sight.viewer else other % {"name": name_of(proposal.by, sight)}
    return common.with_answers(sentence, proposal, sight)


def undo_in_short(verb: str) -> str:
    """The question about taking back, for a list of games."""
    return _of_undo(
        verb, _("May a card be taken back?"), _("May other cards be laid away?"), _("May somebody choose again?")
    )


def undo_line(line: Line, sight: Company) -> str:
    """A line of the log about taking back, as a sentence. It names no card: what was seen once is not shown again."""
    fields = {"name": line.name or (name_of(line.seat, sight) if line.seat is not None else "")}
    own, other = _undo_sentences(line.verb)[line.kind]
    return (own if is_you(line.seat, sight) and not line.name else other) % fields


def _undo_sentences(verb: str) -> dict[str, tuple[str, str]]:
    """For each kind of line two sentences: one addressed to the reader, and one about another player."""
    return {
        "undo-proposed": _of_undo(
            verb,
            (_("You ask to take your card back."), _("%(name)s asks to take a card back.")),
            (_("You ask to lay away other cards."), _("%(name)s asks to lay away other cards.")),
            (_("You ask to choose again."), _("%(name)s asks to choose again.")),
        ),
        "undo-agreed": (_("You agree."), _("%(name)s agrees.")),
        "undo-declined": (_("You do not agree: it stays as it is."), _("%(name)s does not agree: it stays as it is.")),
        "undo-withdrawn": (_("You leave it as it is."), _("%(name)s leaves it as it is.")),
        "undo-lapsed": ("", _("Not everybody has answered: it stays as it is.")),
        "undone": _of_undo(
            verb,
            (_("All agree: you take your card back."), _("All agree: %(name)s takes a card back.")),
            (
                _("All agree: you take up the cards you laid away."),
                _("All agree: %(name)s takes up the cards that were laid away."),
            ),
            (_("All agree: you choose again."), _("All agree: %(name)s chooses again.")),
        ),
        "undone-alone": (
            _("You take that back. This hand does not count in statistics."),
            _("%(name)s takes something back. This hand does not count in statistics."),
        ),
    }
