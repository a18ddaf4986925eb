"""A tournament in words: reasons for refusals, remarks of draws, states of tables; in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs import text as club_text
from domain.errors import DomainError
from domain.tournament.finishing import rounds_of
from domain.tournament.state import PAIR, Phase, Plan, State
from games.services import computers

_REFUSALS: Mapping[str, str | Promise] = {
    "another-game": _("This game is not (or no longer) the one of this table."),
    "already-drawn": _("That round is drawn already. Undo the draw first, or change it by hand."),
    "bad-count": _("Every side needs its points: %(expected)s numbers, please."),
    "bad-fields": _("Some fields are not filled in as they should be: look at the words beside them."),
    "bad-options": _("The house rules ask for %(option)s in a way this game is not played online."),
    "bad-pace": _("Choose a pace by days: nobody has to be here at a certain time."),
    "bad-order": _("Number them from 1 to %(most)s, each number once."),
    "bad-weights": _("Write weights as whole numbers from 1, the largest first, such as 5, 3, 2."),
    "impossible-points": _(
        "No side can have %(points)s of %(most)s points. Look at the numbers again. If they are meant, the director writes them on the page of the table."
    ),
    "nothing-handed": _("No prize has been handed over to them."),
    "bad-data": _("That could not be read. Reload the page and try again."),
    "begun-already": _("The game of this table has begun already."),
    "rounds-begun": _("The rounds have begun already."),
    "both-still-in": _("Two who have met in this knock-out are both still in it: a result is missing."),
    "boards-already": _("The deals of this round are prepared already."),
    "clock-runs": _("The clock is running, or was never started."),
    "clock-stands": _("The clock is not running."),
    "corrected-already": _("What counts at this table has been decided already. Only the director can change it."),
    "deal-by-deal": _("All tables play the same deals here: write each of them by itself, under its number."),
    "deals-missing": _(
        "Only %(played)s of %(deals)s deals are written. Write the others, or say that the round was cut short."
    ),
    "decided": _("It is decided: only one side is left. Finish this part."),
    "disputed-already": _(
        "Another side disputes this sheet and has given its own version. It accepts the sheet, or the tournament director decides."
    ),
    "drawn": _("Table %(table)s of round %(round)s is drawn: one more deal has to decide it, written on its page."),
    "draft-open": _("Round %(round)s is drawn and not published yet. Publish it or undo it first."),
    "empty-sheet": _("Nothing is written on this sheet yet."),
    "entered-already": _("This person has entered already."),
    "handed-in-already": _(
        "The sheet was handed in. Take it back first; once it is confirmed, the director can open it again."
    ),
    "handed-already": _("They have their prize already."),
    "has-games": _("A game is being played at a table of this round. Call that game off first."),
    "has-played": _("They have a place in a round already. Choose “Leaves the tournament” instead."),
    "has-results": _("Something is written at a table of this round already, so it stays as it is."),
    "in-another-phase": _("Somebody named here plays in another part that follows the same one."),
    "in-the-hall": _("This part is played in the hall, not online."),
    "is-closed": _("The tournament is closed. Reopen it first, with a reason."),
    "is-house": _("This is a computer player that fills up a table. It is not entered, ranked or charged."),
    "is-open": _("The tournament is open already."),
    "is-out": _("This round is published already."),
    "kind-stays": _("People have entered already: it stays a tournament of single players, or of pairs."),
    "late-already": _("This table is postponed already."),
    "lots-needed": _("Some are equal in everything: draw the lots first."),
    "missing": _("Something is missing here. Please fill it in."),
    "needs-entrants": _("Choose who plays in this part, and from which ranking they come."),
    "needs-pairs": _("This way of seating is for pairs that stay together."),
    "needs-singles": _("This way of seating is for players with changing partners."),
    "no-account": _(
        "Online only people with an account can be seated. Without one: %(names)s. Let them make an account and join the"
        " club with it, name a substitute, or let them sit out."
    ),
    "no-bracket": _(
        "Rounds have been drawn another way, and make no bracket. Finish this part, and start the knock-out as a final."
    ),
    "no-boards": _("The deals of this round are not prepared yet."),
    "no-lot-needed": _("Nobody is tied, so there are no lots to draw."),
    "no-partners": _("In this game nobody has a partner, or it is no game for the usual table."),
    "no-time": _("Write a day and a time, such as 2026-12-24 20:00."),
    "no-such-coin": _("There is no such coin or note."),
    "no-such-deal": _("That deal is not written."),
    "no-such-phase": _("There is no such part of the tournament."),
    "no-such-round": _("There is no such round. Reload the page."),
    "no-such-table": _("There is no such table. Reload the page."),
    "nobody-here": _("Too few are here to be seated. Mark who has arrived."),
    "no-number": _("Write a whole number here."),
    "not-a-choice": _("That cannot be chosen here."),
    "not-a-made-pair": _("This is not a pair that was drawn, or it has already played."),
    "not-a-member": _("That person does not play for them in this round."),
    "no-money": _("Write a sum in francs, such as 10, 10.50 or 10.–"),
    "not-at-a-table": _("Neither of them has a place in this round."),
    "not-at-this-table": _("Somebody named here does not sit at this table."),
    "not-at-the-table": _("Only somebody who sits at the table can confirm."),
    "not-begun": _("No game has been set up for this table."),
    "not-duplicate": _("In this round every table plays its own deals."),
    "not-final": _("%(tables)s tables do not count yet. Wait for them, or say why it is closed all the same."),
    "not-handed-in": _("The sheet is not handed in, or is settled already."),
    "not-here": _("They are not here."),
    "not-online": _(
        "That cannot be played online. Online there is no clock of the hall, and nobody watches in turn; every "
        "table must have a size the game allows, and the usual size if all tables play the same deals."
    ),
    "not-open": _("The door is not open yet. Open the tournament first."),
    "not-out": _("This round is not published yet."),
    "not-promised": _("This draw was not promised. Draw again."),
    "not-single": _("Only people who entered alone and have not played can be made into pairs."),
    "not-the-last-phase": _("Only the last part can be taken away."),
    "not-the-latest": _("Only the latest round can be undone."),
    "nothing-played": _("Nothing was played yet."),
    "one-by-one": _("At this table somebody looks on in turn: write every deal by itself."),
    "one-person": _("Everybody enters alone in this tournament."),
    "online-stays": _("Rounds have been drawn: it stays as it is, online or in the hall, with the same deals or not."),
    "out-of-order": _("Something has happened in the meantime. Reload the page."),
    "out-of-range": _("A number from %(low)s to %(high)s, please."),
    "own-sheet": _("You wrote this sheet; the other side has to confirm it."),
    "paid-earlier": _("That was paid a while ago. Cancel it at the till, with a reason."),
    "phase-over": _("All %(rounds)s rounds are drawn. Change the plan if there is to be one more."),
    "phase-used": _("Something was drawn or decided in this part already, so it stays. Finish it instead."),
    "plays-already": _("That person plays in this round already."),
    "plays-online": _(
        "This round is played online: nothing is entered at the table, because the result comes from the game itself."
    ),
    "reason-needed": _("Say why: the reason is kept with the change."),
    "round-closed": _("This round is closed. Only the director can change it now."),
    "ruleset-stays": _("Rounds have been played: the game stays the same."),
    "table-kept": _("Somebody else keeps table %(table)s."),
    "tables-open": _("%(tables)s tables are not confirmed yet, the first is table %(first)s."),
    "time-is-past": _("That time is past. Choose one that is still to come."),
    "too-few": _("At least two are needed. First mark who is here."),
    "too-few-chosen": _("Choose at least two."),
    "too-long": _("At most %(most)s characters, please."),
    "too-many": _("That is too many; at most %(most)s."),
    "too-many-deals": _("This round has %(deals)s deals at this table, no more."),
    "twice": _("A person or a thing appears twice."),
    "undecided": _("Table %(table)s of round %(round)s has no winner yet."),
    "unknown-entrant": _("Nobody with that number takes part."),
    "unknown-entry": _("There is no such entry in the till, or it is cancelled already."),
    "unknown-kind": _("That cannot be done here."),
    "unknown-penalty": _("There is no such penalty, or it is cancelled already."),
    "unknown-ruleset": _("This site does not know that game."),
    # What the seating itself refuses; people hardly ever see these.
    "no-table-of-two": _("This way of seating needs tables of one against one."),
    "bad-price": _("These settings of the draw make no sense together."),
    "bad-size": _("No table has that size."),
    "unknown-method": _("There is no such way of seating."),
    "unknown-id": _("Somebody named here does not take part."),
}


def refusal(code: str, field: str, facts: Mapping[str, str | int]) -> str | Promise:
    """Why something is refused, and what to do. A code without words, or without the facts for them, is a bug, and
    the text then shows the code.
    """
    if code == "bad-rules":
        rule = str(facts.get("rule", ""))
        rest = {name: value for name, value in facts.items() if name != "rule"}
        return club_text.standings_refusal(DomainError(rule, field.removeprefix("rules."), **rest))
    if code == "wrong-sum":
        return wrong_sum(facts)
    text = _REFUSALS.get(code)
    if text is None:
        return _wordless(code)
    try:
        return str(text) % dict(facts) if "%(" in str(text) else text
    except KeyError:
        return _wordless(code)


def _wordless(code: str) -> str:
    return gettext("That cannot be done now (%(code)s).") % {"code": code}


def wrong_sum(facts: Mapping[str, str | int]) -> str:
    """That a deal, or the sum of several, does not add up, and what the house rules do about it."""
    if facts["of"] == 1:
        text = gettext("Deal %(deal)s adds up to %(found)s; it should be %(expected)s.") % dict(facts)
    else:
        text = gettext("The %(of)s deals together add up to %(found)s; it should be %(expected)s.") % dict(facts)
    after = {
        "recount": gettext("Count the cards again."),
        "split": gettext(
            "Count again. If the sum is still wrong, tick that it stays so, and the difference is shared."
        ),
        "strike": gettext(
            "Count again. If the sum is still wrong, tick that it stays so, and the deal counts for nobody."
        ),
    }
    return f"{text} {after[str(facts['rule'])]}"


def _words(table: Mapping[str, str | Promise]) -> Callable[[str], str]:
    """A function that puts a code into words, in the reader's language."""
    return lambda code: str(table[code])


table_state = _words(
    {
        "playing": _("playing"),
        "handed-in": _("to be confirmed"),
        "disputed": _("disputed"),
        "confirmed": _("confirmed"),
    }
)
round_state = _words({"draft": _("draft, not published"), "out": _("being played"), "closed": _("closed")})
entrant_state = _words(
    {
        "expected": _("expected"),
        "here": _("here"),
        "gone": _("has left"),
        "withdrawn": _("is not coming"),
        "merged": _("in a pair"),
    }
)
"""Whether an entrant is here."""
_method = _words(
    {
        "draw": _("drawn again each round; partners and opponents change"),
        "rotation": _("whist rotation: everybody with everybody"),
        "round-robin": _("round robin: every pair meets every other"),
        "swiss": _("Swiss: pairs with equal results meet"),
        "standing": _("by standing: the first ones sit together"),
        "knock-out": _("knock-out: losers are out"),
    }
)


def method(name: str, kind: str) -> str:
    """A way of seating (`domain.seating.seat.METHODS`), for single players or pairs."""
    if (name, kind) == ("draw", PAIR):
        return gettext("drawn again each round; opponents change")
    return _method(name)


def method_of(plan: Plan) -> str:
    """How a plan seats people."""
    return method(plan.method, plan.kind)


odd = _words(
    {
        "three": _("a table of three, each alone"),
        "five": _("a table of five, each alone"),
        "five-dealer-out": _("a table of five, the dealer looks on"),
        "six": _("a table of six in two teams"),
        "three-pairs": _("three pairs at a table, one looks on in turn"),
        "bye": _("sitting out, with a bye"),
    }
)
"""What is done if the number of people does not fit (`domain.tournament.state.ODD`)."""
last_table = _words({"final": _("Final"), "third": _("For third place")})
"""What a table of the last round of a knock-out is (`domain.tournament.finishing.last_tables`)."""
remark = _words(
    {
        "rotation-left": _("There is no rotation for those who are here; the round was drawn instead."),
        "bracket-left": _("The bracket was changed by hand; those still in were drawn anew."),
        "meetings-left": _("Pairs that have not met yet were brought together."),
        "rounds-again": _("The plan has no further round; it began again."),
        "decided": _("It is decided."),
        "nobody": _("Nobody is here."),
    }
)
"""A remark of a draw about itself (`domain.seating.field.Seating`)."""
warning = _words(
    {
        "many-rounds": _("More rounds than half the field: people will meet again. For pairs a round robin is fairer."),
        "partners-repeat": _("Some will have the same partner twice."),
        "opponents-repeat": _("Some will have the same opponent twice."),
        "sitting-out": _("Somebody sits out."),
        "uneven": _("Some sit at a table of unusual size, or sit out, once more than others."),
        "no-rotation": _("There is no rotation for this number; rounds would be drawn."),
        "not-decided": _("Too few rounds: after them the knock-out has no winner yet."),
        "not-all-meet": _("Too few rounds: not everybody meets everybody."),
        "plan-over": _("The plan has fewer rounds than that."),
        "late": _("It ends after midnight."),
        "rotation-fits": _("By the whist rotation nobody would have the same partner twice."),
    }
)
"""A warning of a dry run (`domain.seating.dryrun.Outlook`)."""


def rounds_in_words(state: State) -> str:
    """How many rounds it has. How many decide a knock-out depends on those who come."""
    if state.current is None and state.plan.method == "knock-out":
        rounds = state.plan.rules.rounds
        words = ngettext("at most %(rounds)s round", "at most %(rounds)s rounds", rounds)
    else:
        rounds = rounds_of(state, state.current) if state.current else state.plan.rules.rounds
        words = ngettext("%(rounds)s round", "%(rounds)s rounds", rounds)
    return words % {"rounds": rounds}


def computer_player(number: int) -> str:
    """The name of a computer player that fills up a table: the one it has in its game, marked as one."""
    return gettext("%(name)s (computer)") % {"name": computers.name_of(number)}


change_kind = _words(
    {
        "written": _("written at the desk"),
        "settled": _("dispute settled"),
        "corrected": _("corrected"),
        "reopened": _("opened again"),
        "abandoned": _("game called off"),
    }
)
"""What the director did with a sheet."""


def phase_name(phase: Phase) -> str:
    """The name of a part of the tournament: its own, or one made from its number."""
    return phase.name or (
        gettext("Rounds") if phase.number == 1 else gettext("Part %(number)s") % {"number": phase.number}
    )
