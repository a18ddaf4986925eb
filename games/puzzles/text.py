"""Puzzles in the reader's language: their themes, what is known in the position, and the reasons for the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import in_a_row, joined
from domain.bots.puzzling import Theme
from domain.bots.reviewing import FactKind
from domain.engine import CODES, Action, parse_action
from games.puzzles.models import Rated, Solver
from games.puzzles.selectors import Position, Row
from games.puzzles.stored import Puzzle
from games.text import figures
from games.text.advice import because, calls_cavalier, compared, doing, fact
from games.text.common import Named, Readers
from games.text.log import log_line
from games.text.table import asked_of_you
from rules.text import names

_THEMES: Final = {
    Theme.TALK: gettext_lazy("Reading the talk"),
    Theme.BIDDING: gettext_lazy("Bidding"),
    Theme.LAYING_AWAY: gettext_lazy("Laying cards away"),
    Theme.PARTNER: gettext_lazy("Calling a partner"),
    Theme.JACK: gettext_lazy("King and jack"),
    Theme.MISERE: gettext_lazy("Misere"),
    Theme.FOOL: gettext_lazy("The Fool in time"),
    Theme.BAGAT: gettext_lazy("The lowest trump"),
    Theme.TRUMPS: gettext_lazy("Drawing trumps"),
    Theme.LEADS: gettext_lazy("What to lead"),
    Theme.LAST: gettext_lazy("The last to play"),
    Theme.TRICKS: gettext_lazy("Taking a trick or not"),
}


def theme_name(theme: Theme, game: str) -> str:
    """The name of a theme in a game, or, if `game` is empty, in all games."""
    if game and calls_cavalier(game) and theme == Theme.JACK:
        return _("King and cavalier")
    return str(_THEMES[theme])


_THOUGHTS: Final = {
    Theme.TALK: gettext_lazy(
        "A new deal is worth something too: what counts is your hand together with what your partner said."
    ),
    Theme.BIDDING: gettext_lazy("Count what your hand brings if you play, and what it brings if another does."),
    Theme.LAYING_AWAY: gettext_lazy("Cards laid away are safe and leave gaps: a suit that is gone can be trumped."),
    Theme.PARTNER: gettext_lazy("Whoever holds the trump you call plays with you, and you do not know who it is."),
    Theme.JACK: gettext_lazy("King and jack belong together: ask who takes the trick in which they lie."),
    Theme.MISERE: gettext_lazy("The points hurt: the question is who has to take the next trick."),
    Theme.FOOL: gettext_lazy("The Fool comes out only once: ask what it does for you now, and what it would do later."),
    Theme.BAGAT: gettext_lazy("The I is worth five points and beaten by every other trump."),
    Theme.TRUMPS: gettext_lazy(
        "Each trump that falls can beat nothing any more: neither your good cards nor the others’."
    ),
    Theme.LEADS: gettext_lazy(
        "The lead says which suit is played: ask who can trump it, and whose cards it makes good."
    ),
    Theme.LAST: gettext_lazy("Nobody plays after you: what you do now decides the trick."),
    Theme.TRICKS: gettext_lazy("Others still play after you: ask what they may hold."),
}


def theme_words(theme: Theme, game: str) -> str:
    """What to think about in puzzles of this theme in a game."""
    if calls_cavalier(game) and theme == Theme.JACK:
        return _("King and cavalier belong together: ask who takes the trick in which they lie.")
    return str(_THOUGHTS[theme])


def title(game: str, table_size: int, number: int) -> str:
    """ "Troccas, puzzle 3"."""
    return _("%(game)s, puzzle %(number)d") % {"game": game_name(game, table_size), "number": number}


def game_name(game: str, table_size: int) -> str:
    return figures.variant_name((game, table_size))


def done(action: str, game: str) -> str:
    """A stored action in words."""
    return doing(parse_action(action), game)


def company(position: Position) -> Readers:
    """The players at the table and the viewer, in the form that sentences of the log need."""
    seats = tuple(Named(seat.number, seat.name) for seat in position.seats)
    return Readers(position.viewer, seats, position.parties, (), position.rappen, None)


def asked(position: Position) -> str:
    return asked_of_you(position.question)


def seat_name(position: Position, seat: int) -> str:
    """A player under a card: "You", or the name."""
    return _("You") if position.seats[seat].you else position.seats[seat].name


def situation(position: Position) -> list[str]:
    """Sentences about the seats, the partners, and what everybody saw besides the cards that were played."""
    order = [*position.seats[position.viewer :], *position.seats[: position.viewer]]
    dealer = next(seat for seat in order if seat.dealer)
    partners = [seat.name for seat in order if seat.partner]
    sentences = [
        _("In the order of play: you, %(names)s.") % {"names": joined(", ", [seat.name for seat in order[1:]])}
    ]
    sentences.append(_("You deal.") if dealer.you else _("%(name)s deals.") % {"name": dealer.name})
    if partners:
        sentences.append(
            ngettext("%(names)s is your partner.", "%(names)s are your partners.", len(partners))
            % {"names": in_a_row(partners)}
        )
    sentences += [
        _("The last card dealt to you lay face up: %(card)s.")
        % {"card": names.card_name(seat.face_up, in_sentence=True)}
        if seat.you
        else _("The last card dealt to %(name)s lay face up: %(card)s.")
        % {"name": seat.name, "card": names.card_name(seat.face_up, in_sentence=True)}
        for seat in order
        if seat.face_up
    ]
    if position.cut_card:
        sentences.append(_("The cut showed %(card)s.") % {"card": names.card_name(position.cut_card, in_sentence=True)})
    if position.scart:
        cards = in_a_row([names.card_object(code) for code in position.scart])
        sentences.append(_("You have laid away %(cards)s.") % {"cards": cards})
    return sentences


def lines(position: Position) -> list[str]:
    """What has been said and done so far, as sentences."""
    there = company(position)
    return [said for line in position.lines if (said := log_line(line, there))]


def short(action: Action) -> str:
    """The label of a button for an answer: two cards, or a card with a call."""
    cards = joined(" + ", [names.card_short(CODES[card]) for card in action.cards])
    if action.signal == "buob":
        return _("%(cards)s, and call the jack") % {"cards": cards}
    return cards


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One answer: its average result, how much less than the best that is, and whether the reader gave it."""

    doing: str
    brings: str
    less: str
    given: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the best answer is best: in general, by a rule of thumb (or why that is wrong here), and by proven facts."""

    theme: str
    thumb: str
    instead: str
    facts: tuple[str, ...]


def option_lines(puzzle: Puzzle, given: str) -> list[OptionLine]:
    """The actions in question, best first; `given` is the answer of the reader."""
    best = puzzle.values[0]
    lines = []
    for each in puzzle.values:
        if each is best:
            less = ""
        elif each.action in puzzle.right:
            less = _("as good")
        else:
            less = figures.against_the_best(best.points - each.points, 0 if puzzle.exact else each.error)
        action = doing(each.action, puzzle.game)
        lines.append(OptionLine(action, figures.signed(each.points), less, str(each.action) == given))
    return lines


def reasons(puzzle: Puzzle, position: Position) -> Reasons:
    """Why the best answer of a puzzle is best; its cards and seats are those of `position`."""
    at_table = company(position)
    if puzzle.thumb in puzzle.right:
        thumb = because(puzzle.reason, puzzle.game) if puzzle.reason is not None else ""
    else:
        thumb = _("By rule of thumb one would choose otherwise: %(doing)s") % {
            "doing": doing(puzzle.thumb, puzzle.game)
        }
    facts = (
        *(fact(each, at_table) for each in puzzle.facts if each.number or each.kind is not FactKind.TRUMPS_OUT),
        *compared(puzzle.prospects, fewer=puzzle.theme is Theme.MISERE),
    )
    instead = _("Compared with this: %(doing)s") % {"doing": doing(puzzle.instead, puzzle.game)} if facts else ""
    if facts and puzzle.instead == puzzle.thumb and puzzle.thumb not in puzzle.right:
        thumb, instead = "", thumb  # one answer is named once
    return Reasons(theme_words(puzzle.theme, puzzle.game), thumb, instead, facts)


def method_of(puzzle: Puzzle) -> str:
    """How exact the numbers are: solved, or tried by the computer player."""
    if puzzle.exact:
        return ngettext(
            "Exact: the hidden cards could lie in %(number)d way, and the hand was solved to its end in each.",
            "Exact: the hidden cards could lie in %(number)d ways, and the hand was solved to its end in each.",
            puzzle.worlds,
        ) % {"number": puzzle.worlds}
    return ngettext(
        "Tried by the computer player in %(number)d way in which the hidden cards could lie, for all you know; the figure after ± is the standard error.",
        "Tried by the computer player in %(number)d ways in which the hidden cards could lie, for all you know; the figure after ± is the standard error.",
        puzzle.worlds,
    ) % {"number": puzzle.worlds}


def difficulty(row: Rated | Row | None) -> str:
    """The expected share of average solvers who find a puzzle, or that nobody has tried it yet."""
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
