"""A player's own tables: against computer players, the lesson, and practice, which plays on from a position that stands in an
article of the encyclopedia or is a moment of a hand that was looked back at. And asking once more before a card is played,
where its player wishes so: at tables with days for each card; nothing is written then and nobody is told.

The deal of a practice table is composed and everybody who plays it gets the same cards; nothing about it is promised, so
nothing is proved. Practice is not rated and counts in no statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Player
from domain.bots.advice import advise
from domain.engine import CODES, MalformedAction, Record, parse_action
from domain.engine.actions import parse_line
from domain.engine.record import RecordedHand, hands_of, needed_for, rewound
from domain.engine.ruleset import OptionValue, Ruleset
from domain.pace import Kind
from games import projections
from games.forms import Wanted
from games.imports.models import ImportedGame
from games.lessons import lesson as lessons
from games.lessons import services as learning
from games.models import Game, GameHand, Level, Memory
from games.read_models import Sight
from games.selectors import replay, rulesets, table
from games.services import computers, play
from games.text.advice import because, doing
from games.text.common import in_a_row
from rules.examples import BadExample, Position, position
from rules.examples.reading import published_example
from rules.models import Article
from rules.text import names

RULESET: Final = "troccas"


def open_table_of(player: Player, kind: Game.Kind, rules: str = "") -> Game | None:
    """The unfinished game of this kind (and ruleset) that `player` plays against computer players with cards of their own, the
    latest first."""
    others = Q(seats__player__computer="") & ~Q(seats__player=player)
    games = Game.objects.filter(kind=kind, status=Game.Status.PLAYING, seats__player=player, board_set=None)
    if rules:
        games = games.filter(ruleset=rules)
    return games.exclude(pk__in=Game.objects.filter(others).values("pk")).order_by("-acted_at").first()


def new_table(player: Player, kind: Game.Kind, rules: str = RULESET) -> Game:
    """A new table for `player` and computer players: a whole game of Troccas, or the lesson of a ruleset that has one."""
    if kind == Game.Kind.GUIDED:
        lesson = lessons.LESSONS[rules]
        players = [player, *computers.computer_players(lesson.seats - 1)]
        return play.start(
            lesson.ruleset, players, options=lesson.options, kind=kind, pack=lesson.pack, dealer=lesson.dealer
        )
    level = computers.level_of(player)
    players = [player, *computers.computer_players(3, level)]
    return play.start(RULESET, players, kind=kind, draws_partners=True, memory=Memory.ALL, level=level)


def table_of(
    player: Player,
    rules: Ruleset,
    options: Mapping[str, OptionValue],
    memory: Memory = Memory.ALL,
    level: str = Level.BEGINNER,
) -> Game:
    """A new table of any game for `player` and computer players; or the same table if it waits and nothing is dealt."""
    waiting = Game.objects.filter(
        kind=Game.Kind.PLAY,
        status=Game.Status.PLAYING,
        ruleset=rules.id,
        ruleset_version=rules.version,
        table_size=rules.seats,
        memory=memory,
        level=level,
        board_set=None,
        hand_number=1,
        hands__status=GameHand.Status.WAITING,
        seats__player=player,
    )
    same = next((game for game in waiting if game.options == dict(options)), None)
    if same is not None:
        return same
    players = [player, *computers.computer_players(rules.seats - 1, level)]
    draws = rulesets.draws_partners(rules)
    return play.start(rules.id, players, options=options, draws_partners=draws, memory=memory, level=level)


def lesson_of(game: Game, seen: Sight) -> lessons.Advice | None:
    """What the teacher says now; None at any other table, and for who only watches."""
    if game.kind != Game.Kind.GUIDED or seen.viewer is None:
        return None
    if seen.status == Game.Status.FINISHED:
        return lessons.advice(seen, None, replay.replay(game, seen.hand, None, None))
    dealt = seen.question.asked != projections.SIT
    return lessons.advice(seen, learning.course_of(game, seen.hand, seen.number) if dealt else None)


@dataclass(frozen=True, slots=True)
class Hint:
    """What a computer player would do in the viewer's place: the action, and in words what it is, and why."""

    action: str
    doing: str
    because: str


def hint_of(game: Game, seen: Sight) -> Hint | None:
    """The hint for which the viewer of `seen` has asked at this moment, from what they may know; None if they have not."""
    view = table.view_for(game, seen.viewer) if seen.hinted and seen.viewer is not None else None
    if view is None or view.turn != view.seat:  # when another page of theirs has just answered
        return None
    given = advise(view)
    return Hint(str(given.action), doing(given.action, seen.ruleset), because(given.reason, seen.ruleset))


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked: the action as it was sent, its first card, and the question in the reader's language."""

    action: str
    card: str
    question: str


def wished(game: Game, player: Player) -> bool:
    """Whether cards that `player` plays in this game are asked about: they wish it, and nobody is in a hurry here."""
    clock = projections.clock_of(game)
    return player.current.confirm_plays and clock is not None and clock.terms.kind is Kind.DAYS and not clock.live


def asked_about(game: Game, player: Player, action: str, expected: int) -> Confirmation | None:
    """The question to put before `action` is done; None where none is wished, or where `submit` has to answer anyway.

    That is so for what is no play of a card, for a card that may not be played, and for a page that is out of date.
    """
    if expected != game.number or not wished(game, player):
        return None
    try:
        move = parse_action(action)
    except MalformedAction:
        return None
    seen = table.sight_of(game, player)
    playable = {card.code for card in seen.cards if card.playable}
    if (
        move.verb != "play"
        or seen.question.asked != "play"
        or not seen.question.mine
        or CODES[move.cards[0]] not in playable
    ):
        return None
    cards = [CODES[card] for card in move.cards]
    return Confirmation(action, cards[0], _question(cards, move.signal))


def _question(cards: list[str], signal: str) -> str:
    said = {"knock": _("Play %(cards)s and knock?"), "buob": _("Play %(cards)s and call: buob?")}
    return said.get(signal, _("Play %(cards)s?")) % {"cards": in_a_row([names.card_object(code) for code in cards])}


Line: TypeAlias = tuple[int, str]


Source: TypeAlias = Literal["game", "imported", "position"]


class NothingToPlay(ValueError):
    """At that moment the hand is over, or there is no such seat."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a hand looked back at: of the game, the imported record or the laid position with this public id; after
    `step` actions of hand `hand`; `seat` is taken by who plays on."""

    public_id: str
    hand: int
    step: int
    seat: int
    source: Source = "game"

    def to_json(self) -> dict[str, object]:
        return {self.source: self.public_id, "hand": self.hand, "step": self.step, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a practice position comes from: `kind` is article, game, imported or position; the title (of an article) and the address
    at the example or moment, empty if it is gone.

    `open`: the position can be laid out again, by posting `fields` to `again`. `scores` is what the hand brought each seat when it
    was played; empty where that is not known.
    """

    kind: str
    title: str
    url: str
    open: bool
    again: str
    fields: tuple[tuple[str, str], ...]
    hand: int = 0
    step: int = 0
    scores: tuple[int, ...] = ()


def position_of(wanted: Wanted) -> Position | None:
    """The position of a published example; None if there is no such example, or none to play on from."""
    try:
        example = published_example(wanted.article, wanted.language, wanted.example)
        return position(example) if example is not None else None
    except BadExample:
        return None


def practice_table(player: Player, wanted: Wanted, at: Position) -> Game:
    """A table at that position, `player` sitting where a card is asked for; or the same table if nothing was done there."""
    same = _waiting(player, wanted._asdict(), " ".join(at.pack))
    if same is not None:
        return same
    with transaction.atomic():
        game = play.start(
            at.ruleset,
            _seated(player, at.seat, computers.computer_players(at.seats - 1)),
            options=at.options,
            kind=Game.Kind.PRACTICE,
            pack=at.pack,
            dealer=at.dealer,
            practice=wanted._asdict(),
            memory=Memory.ALL,
        )
        play.enter(game.pk, at.actions)
    return game


def check_playable(record: Record, moment: Moment) -> None:
    """Raise NothingToPlay unless there is such a seat, and somebody is asked something at that moment."""
    if not 1 <= moment.hand <= len(record.hands) or not 0 <= moment.seat < record.ruleset.seats or moment.step < 0:
        raise NothingToPlay
    ended = hands_of(record)[moment.hand - 1]
    if rewound(ended, record.hands[moment.hand - 1].pack, moment.step).over:
        raise NothingToPlay


def table_from(player: Player, record: Record, moment: Moment) -> Game:
    """A table at a moment of a recorded hand, `player` in the seat they chose; or the same table if nothing was done there.

    What somebody had said in words of their own is left out. Where the deal hangs on the hands before, as when the losing
    side asked for another deal, those are in the new game too. Raises NothingToPlay.
    """
    check_playable(record, moment)
    rules = record.ruleset
    chosen = record.hands[moment.hand - 1]
    needed = needed_for(record, moment.hand)
    same = _waiting(player, moment.to_json(), _pack_line(chosen))
    if same is not None:
        return same
    deals = [*needed[:-1], replace(chosen, actions=chosen.actions[: moment.step])]
    with transaction.atomic():
        game = play.start(
            rules.id,
            _seated(player, moment.seat, computers.company_like(record.players, moment.seat)),
            version=rules.version,
            options=dict(record.options) | {"hands": 1 + _counted(record, moment.hand, len(needed))},
            kind=Game.Kind.PRACTICE,
            pack=_pack_line(deals[0]).split(),
            dealer=deals[0].dealer,
            practice=moment.to_json(),
            memory=Memory.ALL,
        )
        play.enter(game.pk, _actions(deals[0]), then=[(_pack_line(deal).split(), _actions(deal)) for deal in deals[1:]])
    game.refresh_from_db()
    return game


def origin_of(game: Game, viewer: Player | None = None) -> Origin | None:
    """Where the position of a practice table comes from, as the article is called now; None for any other table.

    The article is named in the reader's language if it exists in it. The address of an imported record is told only to
    who plays there: whoever has it may read the record.
    """
    if game.kind != Game.Kind.PRACTICE:
        return None
    if "hand" in game.practice:
        return _origin_in_hand(game, viewer)
    article, language, example = (str(game.practice.get(name, "")) for name in Wanted._fields)
    found = {row.language: row for row in Article.objects.filter(key=article)}
    reader = get_language() or language
    shown = found.get(reader) or found.get(language)
    again = reverse("games:practice")
    fields = (("article", article), ("language", language), ("example", example))
    if shown is None:
        return Origin("article", "", "", False, again, fields)
    url = f"{reverse('rules:article', args=[shown.slug])}#example-{example}"
    return Origin("article", shown.title, url, language in found, again, fields)


def _origin_in_hand(game: Game, viewer: Player | None) -> Origin:
    hand, step, seat = (int(game.practice[name]) for name in ("hand", "step", "seat"))
    kind = next(each for each in ("game", "imported", "position") if each in game.practice)
    public_id = str(game.practice[kind])
    if kind == "position":  # its address holds all of it
        url = f"{reverse('position:show', args=[public_id])}?step={step}"
        again = reverse("position:from_here", args=[public_id])
        return Origin(kind, "", url, True, again, (("step", str(step)), ("seat", str(seat))), hand, step)
    imported = kind == "imported"
    shown = (Game, ImportedGame)[imported].objects.filter(public_id=public_id).exists()
    if imported:
        shown = shown and viewer is not None and game.seats.filter(player=viewer).exists()
    if not shown:
        return Origin(kind, "", "", False, "", (), hand, step)
    played = GameHand.objects.filter(game__public_id="" if imported else public_id, number=hand)
    scores = played.values_list("scores", flat=True).first() or ()
    room = "imported" if imported else "games"
    url = f"{reverse(f'{room}:replay', args=[public_id, hand])}?step={step}"
    again = reverse(f"{room}:from_here", args=[public_id, hand])
    return Origin(kind, "", url, True, again, (("step", str(step)), ("seat", str(seat))), hand, step, tuple(scores))


def _waiting(player: Player, practice: Mapping[str, object], pack: str) -> Game | None:
    """The player's practice table with this origin and pack at which nothing has been done yet."""
    games = Game.objects.filter(
        kind=Game.Kind.PRACTICE,
        status=Game.Status.PLAYING,
        seats__player=player,
        hands__deal__pack=pack,
        **{f"practice__{name}": value for name, value in practice.items()},
    )
    return next((game for game in games if game.number == game.practice["number"]), None)


def _seated(player: Player, seat: int, others: list[Player]) -> list[Player]:
    return [*others[:seat], player, *others[seat:]]


def _counted(record: Record, number: int, needed: int) -> int:
    """How many of the hands before `number` that are needed for it count as played."""
    before = hands_of(record)[number - needed : number - 1]
    return sum(hand.result is not None and hand.result.status != "thrown-in" for hand in before)


def _pack_line(hand: RecordedHand) -> str:
    return " ".join(CODES[card] for card in hand.pack)


def _actions(hand: RecordedHand) -> list[Line]:
    parsed = [parse_line(line) for line in hand.actions]
    return [(int(seat), str(replace(action, words=""))) for seat, action in parsed]
