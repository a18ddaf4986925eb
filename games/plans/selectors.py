"""A player's plans in a game: those in force, in words and as the choices of a form. Shown only to their owner."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import ForcedCards, Player, SmallCards
from core.models import only
from core.prepared_queries import prepared
from core.sursilvan import joined
from domain.engine import CODES, View, card_of, cards_in
from domain.engine import Action as Move
from domain.engine.cards import BIT, FOOL_BIT
from domain.engine.claims import forced, last_card
from domain.engine.rulesets import ruleset
from domain.pace import Kind, State
from games import packs, projections
from games.models import Game
from games.plans.exceptions import PlanError
from games.plans.language import (
    CHOICES,
    LED,
    LONGEST,
    Line,
    Plan,
    Talk,
    answer,
    cards_of,
    chosen,
    impossible,
    read_plan,
    read_talk,
)
from games.plans.models import Plans, Scheduled
from games.read_models import Sight
from games.selectors import log, table
from rules.text import names

NO_PLAN: Final = Plan()
NO_TALK: Final = Talk()
SMALL: Final = read_plan({"lines": [{"play": "spare"}], "lasts": True})
"""The plan at tables of days of players who let small cards be played for them, unless they have a plan of their
own."""
SMALL_AT_ONCE: Final = replace(SMALL, at_once=True)

# Why a plan is over.
USED: Final = "used"
NO_FIT: Final = "no-fit"
CARD_GONE: Final = "card-gone"
HAND_OVER: Final = "hand-over"

_ENDED: dict[str, str | Promise] = {
    NO_FIT: gettext_lazy("None of the lines of your plan fitted, so you are asked. The plan is gone."),
    CARD_GONE: gettext_lazy("The cards of your plan have been played, so the plan is gone."),
    HAND_OVER: gettext_lazy("The hand your plan was for is over, so the plan is gone."),
}


def plans_of(game: Game, player: Player) -> Plans | None:
    """The plans of the player in this game; None if they never planned anything.

    One query, or none if the game has noted that there is no row (`note_whether_planned`).
    """
    return None if player.current.pk in game.without_plans else only(rows_of(game, player))


def rows_of(game: Game, player: Player) -> QuerySet[Plans]:
    """A query for the row of the player's plans in this game."""
    return Plans.objects.filter(game=game, player=player.current)


def note_whether_planned(game: Game, player: Player, planned: bool) -> None:
    """Note on `game` whether `rows_of` the player finds a row, so that this step need not query it again."""
    others = tuple(key for key in game.without_plans if key != player.current.pk)
    game.without_plans = others if planned else (*others, player.current.pk)


def plan_of(row: Plans | None, hand_number: int, cards: int) -> Plan:
    """The player's own plan for a deal in which they hold that many cards; empty if there is none in force."""
    if row is None or row.plan_hand not in (0, hand_number):
        return NO_PLAN
    plan = read_plan(row.plan)
    return plan if plan.lasts or row.plan_cards == cards else NO_PLAN


def why_ended(row: Plans | None, hand_number: int, cards: int) -> str:
    """Why the last plan is over; empty while one is in force, and if there never was one."""
    if row is None or plan_of(row, hand_number, cards):
        return ""
    if row.plan:
        return USED if row.plan_hand == hand_number else HAND_OVER
    return row.plan_ended


def talk_of(row: Plans | None, hand_number: int) -> Talk:
    """The planned answers for the talk of a deal; an empty Talk if there are none."""
    return read_talk(row.talk) if row is not None and row.talk_hand in (0, hand_number) else NO_TALK


def plan_in_force(game: Game, player: Player, row: Plans | None, hand_number: int, cards: int) -> Plan:
    """The plan in force for a player with that many cards: their own, or the one for small cards if they use it."""
    own = plan_of(row, hand_number, cards)
    if own or not lets_small_cards_go(game, player):
        return own
    return SMALL_AT_ONCE if player.current.small_cards == SmallCards.SELF else SMALL


def lets_small_cards_go(game: Game, player: Player) -> bool:
    """Whether small cards are played for the player in this game, unless they have a plan of their own."""
    wish = player.current.small_cards
    by_default = wish == SmallCards.LATER and player.current.forced_cards != ForcedCards.ASK
    return (wish == SmallCards.SELF or by_default) and takes_days(game)


def is_small(game: Game, view: View | None) -> bool:
    """Whether the viewer is asked, at a table of days, for a card whose choice hardly matters."""
    if view is None or view.turn != view.seat or not takes_days(game):
        return False
    return chosen(SMALL, view) is not None and forced(view) is None


def acts_by_itself(game: Game, player: Player) -> bool:
    """Whether the site acts for the player in this game when they have no choice."""
    wish = player.current.forced_cards
    return wish == ForcedCards.ALWAYS or (wish == ForcedCards.DAYS and takes_days(game))


def takes_days(game: Game) -> bool:
    """Whether the game is played at a pace of days."""
    return game.pace.get("kind") == Kind.DAYS


def planned_action(game: Game, player: Player, row: Plans | None, hand_number: int, view: View) -> Move | None:
    """The action to do for the player now; None if they want to be asked."""
    action = answer(talk_of(row, hand_number), view) or chosen(
        plan_in_force(game, player, row, hand_number, view.held.bit_count()), view
    )
    if action is None and acts_by_itself(game, player):
        action = forced(view) or last_card(view)
        if action is None and view.asked == "cut" and takes_days(game):
            action = Move("cut", number=packs.cut_of(game, hand_number, view.ruleset))
    return action


def scheduled_games(public_ids: Collection[str | int], player: Player) -> dict[str | int, bool]:
    """True for each of these games in which an action is scheduled for the player; others are missing. One query."""
    if len(public_ids) == 1:
        (key,) = public_ids
        return {key: True} if _scheduled_in(str(key), player.current.pk) else {}
    rows = Scheduled.objects.filter(game__public_id__in=public_ids, player=player.current)
    return dict.fromkeys(rows.values_list("game__public_id", flat=True), True)


@prepared
def _scheduled_in(key: str, player: int) -> QuerySet[Scheduled, tuple[int]]:
    return Scheduled.objects.filter(game__public_id=key, player=player).order_by().values_list("pk")


def may_act(game: Game, row: Scheduled, view: View | None) -> bool:
    """Whether the position is still the one that was noted, with its player to act and present."""
    if view is None or game.status != Game.Status.PLAYING or game.to_act != row.seat or view.turn != row.seat:
        return False
    if (game.hand_number, view.acted) != (row.hand_number, row.after):
        return False
    return projections.state_of(game, row.seat) in (None, State.HERE)


@dataclass(frozen=True, slots=True)
class Field:
    """One choice of the form: its value, its label, and whether it is chosen."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class LineForm:
    number: int
    led: tuple[Field, ...]
    winning: tuple[Field, ...]
    fallen: tuple[Field, ...]
    last: bool
    play: tuple[Field, ...]

    @property
    def conditions(self) -> bool:
        """Whether the line has conditions besides what is led."""
        return self.last or any(field.chosen and field.value for field in (*self.winning, *self.fallen))


@dataclass(frozen=True, slots=True)
class Preview:
    """A line in words, the cards it would play from the present hand, and why it can never be played (or empty)."""

    line: str
    cards: str
    never: str


@dataclass(frozen=True, slots=True)
class PlansSeen:
    """The plans as their owner sees them.

    `plan` and `talk` are sentences; `ended` says why the last plan is over; `soon`: the site is about to act for the
    player; `every_hand`: the plan is for every hand of the game; `may_plan`: cards are being played; `may_talk`: this
    table has a talk; `small_at_once`: small cards are played at once, here and at all other tables of days; `small`:
    one will be played after a while; `may_lead`: the player is winning a trick that the others have yet to finish, so
    they can plan what to lead next; `may_call_first`: they may be asked first whether they call for the jack.
    """

    plan: tuple[str, ...]
    lasts: bool
    every_hand: bool
    at_once: bool
    talk: tuple[str, ...]
    ended: str
    soon: bool
    may_plan: bool
    may_talk: bool
    every_deal: bool
    small_at_once: bool
    small: bool
    may_lead: bool
    may_call_first: bool


@dataclass(frozen=True, slots=True)
class PlansForm:
    """The choices of the page of plans: open and further lines, the rounds of the talk, the number of few trumps.

    `lasts` and `at_once` belong to the plan; `preview` says what each line would play from the present hand.
    """

    lasts: bool
    at_once: bool
    preview: tuple[Preview, ...]
    open_lines: tuple[LineForm, ...]
    more_lines: tuple[LineForm, ...]
    rounds: tuple[tuple[Field, ...], ...]
    fewer: int


def plans_seen(game: Game, player: Player | None, sight: Sight, opened: log.Table | None = None) -> PlansSeen | None:
    """The plans of `player`; None unless they sit in a running game that is no lesson.

    `opened` is the table of the game, if the caller has opened it already.
    """
    if player is None or sight.viewer is None or sight.status != Game.Status.PLAYING or game.kind != Game.Kind.PLAY:
        return None
    row = plans_of(game, player)
    plan = plan_of(row, sight.hand, len(sight.cards))
    talk = talk_of(row, sight.hand)
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    may_be_noted = sight.question.mine and (
        row is not None or acts_by_itself(game, player) or lets_small_cards_go(game, player)
    )
    small_later = player.current.small_cards == SmallCards.LATER and lets_small_cards_go(game, player)
    may_be_small = small_later and not plan and sight.question.mine and sight.question.asked == "play"
    return PlansSeen(
        plan=tuple(line_text(line) for line in plan.lines),
        lasts=plan.lasts,
        every_hand=row is not None and row.plan_hand == 0 and bool(plan),
        at_once=plan.at_once,
        talk=tuple(talk_texts(talk, max(rules.batches))),
        ended=str(_ENDED.get(why_ended(row, sight.hand, len(sight.cards)), "")),
        soon=may_be_noted
        and Scheduled.objects.filter(game=game, player=player.current, hand_number=sight.hand).exists(),
        may_plan=sight.question.asked in ("play", "call", "fool", "take"),
        may_talk=rules.asks_to_throw_in(game.options),
        every_deal=row is not None and bool(row.talk) and row.talk_hand == 0,
        small_at_once=player.current.small_cards == SmallCards.SELF and takes_days(game),
        small=may_be_small and is_small(game, table.view_for(game, sight.viewer, opened)),
        may_lead=takes_days(game) and not plan and _may_lead(sight),
        may_call_first=rules.call is not None and _king_was_played(sight),
    )


def _may_lead(sight: Sight) -> bool:
    """Whether the viewer is winning the trick that others still play to, and has a choice of what to lead next."""
    if sight.trick is None or sight.question.mine or sight.question.asked != "play" or len(sight.cards) < 2:
        return False
    return any(card.winning and card.seat == sight.viewer for card in sight.trick.cards)


def _king_was_played(sight: Sight) -> bool:
    """Whether the king of the suit led is in the trick."""
    trick = sight.trick
    return trick is not None and any(card.code == f"{trick.suit}K" for card in trick.cards)


def form_of(game: Game, player: Player, sight: Sight, plan: Plan | None = None) -> PlansForm:
    """The form with the saved plan of `player`, or with a `plan` that was filled in but is not saved."""
    row = plans_of(game, player)
    held = sum(BIT[card_of(card.code)] for card in sight.cards)
    plan = plan_of(row, sight.hand, len(sight.cards)) if plan is None else plan
    talk = talk_of(row, sight.hand)
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    lines = tuple(
        _line_form(number, plan.lines[number] if number < len(plan.lines) else None, held, rules.pack)
        for number in range(LONGEST)
    )
    shown = max(1, len(plan.lines))
    view = table.view_for(game, sight.viewer) if plan and sight.viewer is not None else None
    preview = tuple(previewed(plan, view)) if view is not None else ()
    return PlansForm(
        plan.lasts,
        plan.at_once,
        preview,
        lines[:shown],
        lines[shown:],
        tuple(_rounds(talk, max(rules.batches))),
        talk.fewer or 5,
    )


def previewed(plan: Plan, view: View) -> Iterator[Preview]:
    """Each line of a plan with the cards it would play. Only for the owner of the cards."""
    for number, line in enumerate(plan.lines, 1):
        never = impossible(plan, number, view)
        yield Preview(
            line_text(line), "" if never else _cards_text(line, view), PlanError(never).reason if never else ""
        )


def _cards_text(line: Line, view: View) -> str:
    """The card that a choice such as "your lowest of the suit led" means now; empty if the line names its card."""
    if line.card is not None or line.play == "fool":
        return ""
    cards = cards_of(line, view)
    if not cards:
        return _("Which card it is depends on what lies there.")
    if len(set(cards.values())) == 1:
        return _("That is %(card)s.") % {"card": names.card_object(next(iter(cards.values())))}
    leads = {"me": _("if you lead")}
    each = [(leads.get(led) or names.suit_name(led)) + ": " + names.card_rank(code) for led, code in cards.items()]
    return _("That is: %(cards)s.") % {"cards": joined("; ", each)}


def line_text(line: Line) -> str:
    """One line of a plan as a sentence: "If cups are led and your partner is winning: your lowest of the suit led."."""
    conditions = []
    if line.led:
        led = _("%(suit)s are led") % {"suit": names.suit_name(line.led)} if line.led in LED else _("you lead")
        conditions.append(led)
    if line.winning:
        own = line.winning == "partner"
        conditions.append(_("your side is winning the trick") if own else _("another side is winning the trick"))
    if line.fallen:
        conditions.append(_("%(card)s has been played") % {"card": names.card_object(line.fallen)})
    if line.last:
        conditions.append(_("you play last"))
    if not conditions:
        return _("In any case: %(play)s.") % {"play": _play(line.play)}
    both = _(" and ").join(conditions)
    return _("If %(conditions)s: %(play)s.") % {"conditions": both, "play": _play(line.play)}


_TALK_WORDS: Final = {
    "": gettext_lazy("ask me"),
    "veto": gettext_lazy("veto"),
    "allow": gettext_lazy("consent to a throw-in"),
    "unless": gettext_lazy("veto, unless I hold few trumps"),
}


def talk_texts(talk: Talk, rounds: int) -> Iterator[str]:
    """The planned answers in the talk of so many rounds, as one sentence for each; the last one holds to the end."""
    for number, word in enumerate(talk.rounds, 1):
        if word == "unless":
            text = ngettext(
                "veto, unless you hold fewer than %(number)d trump", "veto, unless you hold fewer than %(number)d trumps",
                talk.fewer,
            ) % {"number": talk.fewer}  # fmt: skip
        else:
            text = str(_TALK_WORDS[word])
        holds_on = number == len(talk.rounds) < rounds
        sentence = _("From round %(number)d on: %(text)s.") if holds_on else _("Round %(number)d: %(text)s.")
        yield sentence % {"number": number, "text": text}


_PLAYS: Final = {
    "lowest": gettext_lazy("your lowest of the suit led"),
    "highest": gettext_lazy("your highest of the suit led"),
    "winner": gettext_lazy("your lowest card that takes the trick"),
    "spare": gettext_lazy("your lowest, where none of your cards takes the trick and all are worth the same"),
    "cheapest": gettext_lazy("your card worth least"),
    "dearest": gettext_lazy("your card worth most"),
    "lowest-trump": gettext_lazy("your lowest trump"),
}


def _play(play: str) -> str:
    if play in _PLAYS:
        return str(_PLAYS[play])
    return names.card_object("F" if play == "fool" else play)


def _line_form(number: int, line: Line | None, held: int, pack: int) -> LineForm:
    led, winning, fallen, play = (line.led, line.winning, line.fallen, line.play) if line else ("", "", "", "")
    others = [CODES[card] for card in cards_in(pack & ~held)]
    choices = [choice for choice in CHOICES if choice != "fool"]
    own = [CODES[card] for card in reversed(list(cards_in(held & ~FOOL_BIT)))]
    fool = ["fool"] if held & FOOL_BIT else []
    return LineForm(
        number,
        led=_fields(
            [("", _("whatever is led")), ("me", _("I lead")), *((suit, names.suit_name(suit)) for suit in LED)], led
        ),
        winning=_fields([("", _("whoever is winning")), *_sides()], winning),
        fallen=_fields([("", _("whatever was played")), *((code, names.card_label(code)) for code in others)], fallen),
        last=line is not None and line.last,
        play=_fields(
            [
                ("", _("nothing: no such line")),
                *((choice, _play(choice)) for choice in choices),
                *((choice, names.card_label("F")) for choice in fool),
                *((code, names.card_label(code)) for code in own),
            ],
            play,
        ),
    )


def _sides() -> tuple[tuple[str, str], ...]:
    return ("partner", _("my side is winning")), ("opponent", _("another is winning"))


def _fields(options: list[tuple[str, str]], chosen: str) -> tuple[Field, ...]:
    return tuple(Field(value, text, value == chosen) for value, text in options)


def _rounds(talk: Talk, rounds: int) -> Iterator[tuple[Field, ...]]:
    for number in range(rounds):
        word = talk.rounds[min(number, len(talk.rounds) - 1)] if talk.rounds else ""
        yield _fields([(value, str(text)) for value, text in _TALK_WORDS.items()], word)
