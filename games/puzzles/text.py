"""Puzzles in the reader's language: what they are about, what is known in the position, and the reason of the answer."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from domain.bots.puzzling import Theme
from domain.bots.reviewing import FactKind
from domain.engine import CODES, Action, parse_action
from games.puzzles.models import Rated, Solver
from games.puzzles.selectors import Position, Row, Solution
from games.selectors import rulesets
from games.text import figures
from games.text.advice import because, calls_cavalier, compared, doing, fact
from games.text.common import Named, Readers, in_a_row
from games.text.log import log_line
from games.text.table import asked_of_you
from rules.text import names


def theme_name(theme: Theme, game: str) -> str:
    """What puzzles of this theme are about in a game, or, where it is empty, in all games."""
    return {
        Theme.TALK: _("Reading the talk"),
        Theme.BIDDING: _("Bidding"),
        Theme.LAYING_AWAY: _("Laying cards away"),
        Theme.PARTNER: _("Calling a partner"),
        Theme.JACK: _("King and cavalier") if game and calls_cavalier(game) else _("King and jack"),
        Theme.MISERE: _("Misere"),
        Theme.FOOL: _("The Fool in time"),
        Theme.BAGAT: _("The lowest trump"),
        Theme.TRUMPS: _("Drawing trumps"),
        Theme.LEADS: _("What to lead"),
        Theme.LAST: _("The last to play"),
        Theme.TRICKS: _("Taking a trick or not"),
    }[theme]


def theme_words(theme: Theme, game: str) -> str:
    """What to think of in puzzles of this theme in a game."""
    return {
        Theme.TALK: _(
            "A new deal is worth something too: what counts is your hand together with what your partner said."
        ),
        Theme.BIDDING: _("Count what your hand brings if you play, and what it brings if another does."),
        Theme.LAYING_AWAY: _("Cards laid away are safe and leave gaps: a suit that is gone can be trumped."),
        Theme.PARTNER: _("Whoever holds the trump you call plays with you, and you do not know who it is."),
        Theme.JACK: _("King and cavalier belong together: ask who takes the trick in which they lie.")
        if calls_cavalier(game)
        else _("King and jack belong together: ask who takes the trick in which they lie."),
        Theme.MISERE: _("The points hurt: the question is who has to take the next trick."),
        Theme.FOOL: _("The Fool comes out only once: ask what it does for you now, and what it would do later."),
        Theme.BAGAT: _("The I is worth five points and beaten by every other trump."),
        Theme.TRUMPS: _("Each trump that falls can beat nothing any more: neither your good cards nor the others’."),
        Theme.LEADS: _("The lead says which suit is played: ask who can trump it, and whose cards it makes good."),
        Theme.LAST: _("Nobody plays after you: what you do now decides the trick."),
        Theme.TRICKS: _("Others still play after you: ask what they may hold."),
    }[theme]


def title(game: str, table_size: int, number: int) -> str:
    """ "Troccas, puzzle 3"."""
    return _("%(game)s, puzzle %(number)d") % {"game": game_name(game, table_size), "number": number}


def game_name(game: str, table_size: int) -> str:
    return figures.variant_name((game, table_size))


def game_only(game: str) -> str:
    return rulesets.game_name(game)


def done(action: str, game: str) -> str:
    """An action as it is stored, in words."""
    return doing(parse_action(action), game)


def company(position: Position) -> Readers:
    """The players at the table and the viewer among them, as sentences of the log want them."""
    seats = tuple(Named(seat.number, seat.name) for seat in position.seats)
    return Readers(position.viewer, seats, position.parties, (), position.rappen, None)


def asked(position: Position) -> str:
    return asked_of_you(position.question)


def seat_name(position: Position, seat: int) -> str:
    """A player under a card: "You", or the name."""
    return _("You") if position.seats[seat].you else position.seats[seat].name


def situation(position: Position) -> list[str]:
    """Who sits where, who plays with whom, and what everybody saw beside the cards played."""
    order = [*position.seats[position.viewer :], *position.seats[: position.viewer]]
    dealer = next(seat for seat in order if seat.dealer)
    partners = [seat.name for seat in order if seat.partner]
    told = [_("In the order of play: you, %(names)s.") % {"names": joined(", ", [seat.name for seat in order[1:]])}]
    told.append(_("You deal.") if dealer.you else _("%(name)s deals.") % {"name": dealer.name})
    if partners:
        told.append(
            ngettext("%(names)s is your partner.", "%(names)s are your partners.", len(partners))
            % {"names": in_a_row(partners)}
        )
    told += [
        _("The last card dealt to you lay face up: %(card)s.")
        % {"card": names.card_name(seat.face_up, in_sentence=True)}
        if seat.you
        else _("The last card dealt to %(name)s lay face up: %(card)s.")
        % {"name": seat.name, "card": names.card_name(seat.face_up, in_sentence=True)}
        for seat in order
        if seat.face_up
    ]
    if position.cut_card:
        told.append(_("The cut showed %(card)s.") % {"card": names.card_name(position.cut_card, in_sentence=True)})
    if position.scart:
        cards = in_a_row([names.card_object(code) for code in position.scart])
        told.append(_("You have laid away %(cards)s.") % {"cards": cards})
    return told


def lines(position: Position) -> list[str]:
    """What was said and done so far."""
    there = company(position)
    return [said for line in position.lines if (said := log_line(line, there))]


def short(action: Action) -> str:
    """An answer on a button: two cards, or a card with a call."""
    cards = joined(" + ", [names.card_short(CODES[card]) for card in action.cards])
    if action.signal == "buob":
        return _("%(cards)s, and call the jack") % {"cards": cards}
    return cards


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One answer: what it brings on average, how much less than the best (empty for the best), whether the reader gave it."""

    doing: str
    brings: str
    less: str
    given: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the best is best: in general, by a rule of thumb (or how that is misled), and what could be proven."""

    theme: str
    thumb: str
    instead: str
    facts: tuple[str, ...]


def option_lines(found: Solution, given: str, game: str) -> list[OptionLine]:
    best = found.options[0]
    return [
        OptionLine(
            doing(each.action, game),
            figures.signed(each.points),
            ""
            if each is best
            else _("as good")
            if each.action in found.right
            else _less(best.points - each.points, each.error, exact=found.exact),
            str(each.action) == given,
        )
        for each in found.options
    ]


def _less(gap: float, error: float, *, exact: bool) -> str:
    if exact or figures.decimal(error) == figures.decimal(0.0):
        return figures.signed(-gap)
    return _("%(mean)s ± %(error)s") % {"mean": figures.signed(-gap), "error": figures.decimal(error)}


def reasons(found: Solution, theme: Theme, position: Position) -> Reasons:
    there = company(position)
    if found.thumb in found.right:
        thumb = because(found.reason, position.game) if found.reason is not None else ""
    else:
        thumb = _("By rule of thumb one would choose otherwise: %(doing)s") % {
            "doing": doing(found.thumb, position.game)
        }
    told = (
        *(fact(each, there) for each in found.facts if each.number or each.kind is not FactKind.TRUMPS_OUT),
        *compared(found.prospects, fewer=theme is Theme.MISERE),
    )
    instead = _("Compared with this: %(doing)s") % {"doing": doing(found.instead, position.game)} if told else ""
    return Reasons(theme_words(theme, position.game), thumb, instead, told)


def how_found(found: Solution) -> str:
    """What the numbers rest on."""
    if found.exact:
        return ngettext(
            "Exact: the hidden cards could lie in %(number)d way, and the hand was solved to its end in each.",
            "Exact: the hidden cards could lie in %(number)d ways, and the hand was solved to its end in each.",
            found.worlds,
        ) % {"number": found.worlds}
    return ngettext(
        "Tried by the computer player in %(number)d way in which the hidden cards could lie, for all you know; behind ± stands the standard error.",
        "Tried by the computer player in %(number)d ways in which the hidden cards could lie, for all you know; behind ± stands the standard error.",
        found.worlds,
    ) % {"number": found.worlds}


def difficulty(row: Rated | Row | None) -> str:
    """How many average solvers find it, as far as anybody has tried it."""
    if row is None or not row.attempts:
        return _("nobody has tried it yet")
    return _("%(percent)s %% are expected to find it") % {"percent": figures.decimal(100 * (0.5 + -row.mean), 0)}


def skill(solver: Solver) -> str:
    """ "You are expected to find 58 ± 9 % of average puzzles. So far you found 12 of 19."."""
    return _("You are expected to find %(percent)s ± %(error)s %% of average puzzles. So far you found %(solved)d of %(attempts)d.") % {
        "percent": figures.decimal(100 * (0.5 + solver.mean), 0),
        "error": figures.decimal(100 * solver.variance**0.5, 0),
        "solved": solver.solved,
        "attempts": solver.attempts,
    }  # fmt: skip
