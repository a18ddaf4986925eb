"""A player's own tables: games against computer players, the lesson, and practice. Also hints, and confirming a card.

Practice plays on from a position in an article of the encyclopedia, or from a moment of a hand that was looked back
at. Its deal is composed, and everybody who plays it gets the same cards; nothing about it is promised, so nothing can
be proved. Practice is not rated and counts in no statistics.

Players who want that are asked to confirm each card at tables with days to move; asking writes nothing and tells
nobody.
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
from core.sursilvan import in_a_row
from domain.bots.advice import advise
from domain.engine import CODES, MalformedAction, Record, parse_action
from domain.engine.actions import parse_line
from domain.engine.record import RecordedHand, hands_of, needed_for, rewound
from domain.engine.ruleset import OptionValue, Ruleset
from domain.pace import Kind
from games import projections
from games.forms import ExampleKey
from games.imports.models import ImportedGame
from games.lessons import lesson as lessons
from games.lessons import services as learning
from games.models import Game, GameHand, Level, Memory
from games.read_models import Sight
from games.selectors import replay, rulesets, table
from games.services import computers, play
from games.text.advice import because, doing
from rules.examples import BadExample, Position, position
from rules.examples.reading import published_example
from rules.models import Article
from rules.text import names

RULESET: Final = "troccas"


def open_table_of(player: Player, kind: Game.Kind, rules: str = "") -> Game | None:
    """The latest unfinished game of this kind (and ruleset) that `player` plays against computer players, without
    shared deals; None if there is none."""
    others = Q(seats__player__computer="") & ~Q(seats__player=player)
    games = Game.objects.filter(kind=kind, status=Game.Status.PLAYING, seats__player=player, board_set=None)
    if rules:
        games = games.filter(ruleset=rules)
    return games.exclude(pk__in=Game.objects.filter(others).values("pk")).order_by("-acted_at").first()


def new_table(player: Player, kind: Game.Kind, rules: str = RULESET) -> Game:
    """Create a table for `player` and computer players: a whole game of Troccas, or the lesson of a ruleset that has
    one."""
    if kind == Game.Kind.GUIDED:
        lesson = lessons.LESSONS[rules]
        players = [player, *computers.computer_players(lesson.seats - 1)]
        return play.start(
            lesson.ruleset, players, options=lesson.options, kind=kind, pack=lesson.pack, dealer=lesson.dealer
        )
    level = computers.level_of(player)
    players = [player, *computers.computer_players(3, level)]
    return play.start(RULESET, players, kind=kind, draws_partners=True, memory=Memory.ALL, level=level)


def find_or_start_table(
    player: Player,
    rules: Ruleset,
    options: Mapping[str, OptionValue],
    memory: Memory = Memory.ALL,
    level: str = Level.BEGINNER,
) -> Game:
    """A table of any game for `player` and computer players: an equal one that waits with nothing dealt, or else a
    new one."""
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


def lesson_advice(game: Game, seen: Sight) -> lessons.Advice | None:
    """What the teacher says now; None at any other table, and for watchers."""
    if game.kind != Game.Kind.GUIDED or seen.viewer is None:
        return None
    if seen.status == Game.Status.FINISHED:
        return lessons.advice(seen, None, replay.replay(game, seen.hand, step=None, viewer=None))
    is_between_deals = seen.question.asked == projections.SIT
    return lessons.advice(seen, None if is_between_deals else learning.course_of(game, seen.hand, seen.number))


@dataclass(frozen=True, slots=True)
class Hint:
    """What a computer player would do in the viewer's place: the action, its description, and the reason."""

    action: str
    doing: str
    because: str


def hint_of(game: Game, seen: Sight) -> Hint | None:
    """The hint that the viewer of `seen` has asked for, from what they may know; None if they have not asked."""
    view = table.view_for(game, seen.viewer) if seen.hinted and seen.viewer is not None else None
    if view is None or view.turn != view.seat:  # another page of theirs has just acted
        return None
    advised = advise(view)
    return Hint(str(advised.action), doing(advised.action, seen.ruleset), because(advised.reason, seen.ruleset))


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question before a card is played: the action as it was sent, its first card, and the reader's words for it."""

    action: str
    card: str
    question: str


def wished(game: Game, player: Player) -> bool:
    """Whether `player` has to confirm their cards in this game: they want that, and the game is not played live."""
    clock = projections.clock_of(game)
    return player.current.confirm_plays and clock is not None and clock.terms.kind is Kind.DAYS and not clock.live


def asked_about(game: Game, player: Player, action: str, expected: int) -> Confirmation | None:
    """The question to put before `action` is carried out; None if the player wants none, or if `submit` will refuse it.

    Only cards are asked about. Also None for a card that may not be played, and for a page that is out of date.
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
    with_signal = {"knock": _("Play %(cards)s and knock?"), "buob": _("Play %(cards)s and call: buob?")}
    question = with_signal.get(signal, _("Play %(cards)s?"))
    return question % {"cards": in_a_row([names.card_object(code) for code in cards])}


Line: TypeAlias = tuple[int, str]


Source: TypeAlias = Literal["game", "imported", "position"]


class NothingToPlay(ValueError):
    """The hand is over at that moment, or there is no such hand or seat."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a hand that was looked back at, after `step` actions of hand `hand`, to be played on from `seat`.

    `public_id` is that of the game, the imported record or the composed position, by `source`.
    """

    public_id: str
    hand: int
    step: int
    seat: int
    source: Source = "game"

    def to_json(self) -> dict[str, object]:
        return {self.source: self.public_id, "hand": self.hand, "step": self.step, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a practice position comes from: `kind` is article, game, imported or position.

    `title` is that of an article, `url` leads to the example or moment; both are empty if it is gone. `open`: the
    position can be played again, by posting `fields` to `again`. `scores` are the scores of each seat when the hand
    was played; empty if unknown.
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


def position_of(key: ExampleKey) -> Position | None:
    """The position of a published example; None if there is no such example, or it cannot be played on."""
    try:
        example = published_example(key.article, key.language, key.example)
        return position(example) if example is not None else None
    except BadExample:
        return None


def practice_table(player: Player, key: ExampleKey, at: Position) -> Game:
    """A table at this position with `player` at the seat that has to play: an untouched one if there is one, or else
    a new one."""
    same = _untouched_table(player, key._asdict(), " ".join(at.pack))
    if same is not None:
        return same
    with transaction.atomic():
        game = play.start(
            at.ruleset,
            _in_seats(player, at.seat, computers.computer_players(at.seats - 1)),
            options=at.options,
            kind=Game.Kind.PRACTICE,
            pack=at.pack,
            dealer=at.dealer,
            practice=key._asdict(),
            memory=Memory.ALL,
        )
        play.enter(game.pk, at.actions)
    return game


def check_playable(record: Record, moment: Moment) -> None:
    """Raise NothingToPlay unless the hand and seat exist and the hand is not over at that moment."""
    if not 1 <= moment.hand <= len(record.hands) or not 0 <= moment.seat < record.ruleset.seats or moment.step < 0:
        raise NothingToPlay
    ended = hands_of(record)[moment.hand - 1]
    if rewound(ended, record.hands[moment.hand - 1].pack, moment.step).over:
        raise NothingToPlay


def table_from(player: Player, record: Record, moment: Moment) -> Game:
    """A table at a moment of a recorded hand, with `player` in the seat they chose: an untouched one if there is one,
    or else a new one.

    Free talk is left out. If the deal depends on earlier hands, because the losing side asked for another way of
    dealing, the new game has those too. Raises NothingToPlay.
    """
    check_playable(record, moment)
    rules = record.ruleset
    chosen = record.hands[moment.hand - 1]
    needed = needed_for(record, moment.hand)
    same = _untouched_table(player, moment.to_json(), _pack_line(chosen))
    if same is not None:
        return same
    deals = [*needed[:-1], replace(chosen, actions=chosen.actions[: moment.step])]
    with transaction.atomic():
        game = play.start(
            rules.id,
            _in_seats(player, moment.seat, computers.company_like(record.players, moment.seat)),
            version=rules.version,
            options=dict(record.options) | {"hands": 1 + _count_played(record, moment.hand, len(needed))},
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
    """Where the position of a practice table comes from, with the present title of an article; None for any other
    table.

    The article is that in the reader's language, if there is one. The address of an imported record is given only to
    the player of the table, because anyone who has it may read the record.
    """
    if game.kind != Game.Kind.PRACTICE:
        return None
    if "hand" in game.practice:
        return _origin_in_hand(game, viewer)
    article, language, example = (str(game.practice.get(name, "")) for name in ExampleKey._fields)
    by_language = {row.language: row for row in Article.objects.filter(key=article)}
    reader = get_language() or language
    shown = by_language.get(reader) or by_language.get(language)
    again = reverse("games:practice")
    fields = (("article", article), ("language", language), ("example", example))
    if shown is None:
        return Origin("article", "", "", False, again, fields)
    url = f"{reverse('rules:article', args=[shown.slug])}#example-{example}"
    return Origin("article", shown.title, url, language in by_language, again, fields)


def _origin_in_hand(game: Game, viewer: Player | None) -> Origin:
    hand, step, seat = (int(game.practice[name]) for name in ("hand", "step", "seat"))
    kind = next(each for each in ("game", "imported", "position") if each in game.practice)
    public_id = str(game.practice[kind])
    if kind == "position":  # its URL contains the whole position
        url = f"{reverse('position:show', args=[public_id])}?step={step}"
        again = reverse("position:from_here", args=[public_id])
        return Origin(kind, "", url, True, again, (("step", str(step)), ("seat", str(seat))), hand, step)
    is_imported = kind == "imported"
    if is_imported:
        is_own = viewer is not None and game.seats.filter(player=viewer).exists()
        is_shown = is_own and ImportedGame.objects.filter(public_id=public_id).exists()
    else:
        is_shown = Game.objects.filter(public_id=public_id).exists()
    if not is_shown:
        return Origin(kind, "", "", False, "", (), hand, step)
    played = GameHand.objects.filter(game__public_id="" if is_imported else public_id, number=hand)
    scores = played.values_list("scores", flat=True).first() or ()
    ordinal = hand if is_imported else table.hand_at(public_id, hand)
    room = "imported" if is_imported else "games"
    url = f"{reverse(f'{room}:replay', args=[public_id, hand])}?step={step}"
    again = reverse(f"{room}:from_here", args=[public_id, hand])
    return Origin(kind, "", url, True, again, (("step", str(step)), ("seat", str(seat))), ordinal, step, tuple(scores))


def _untouched_table(player: Player, practice: Mapping[str, object], pack: str) -> Game | None:
    """The player's practice table with this origin and pack at which nothing has been done yet; None if there is
    none."""
    games = Game.objects.filter(
        kind=Game.Kind.PRACTICE,
        status=Game.Status.PLAYING,
        seats__player=player,
        hands__deal__pack=pack,
        **{f"practice__{name}": value for name, value in practice.items()},
    )
    return next((game for game in games if game.number == game.practice["number"]), None)


def _in_seats(player: Player, seat: int, others: list[Player]) -> list[Player]:
    return [*others[:seat], player, *others[seat:]]


def _count_played(record: Record, number: int, needed: int) -> int:
    """How many of the `needed` hands up to hand `number`, without that one, count as played."""
    before = hands_of(record)[number - needed : number - 1]
    return sum(hand.result is not None and hand.result.status != "thrown-in" for hand in before)


def _pack_line(hand: RecordedHand) -> str:
    return " ".join(CODES[card] for card in hand.pack)


def _actions(hand: RecordedHand) -> list[Line]:
    parsed = [parse_line(line) for line in hand.actions]
    return [(int(seat), str(replace(action, words=""))) for seat, action in parsed]
