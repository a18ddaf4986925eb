"""Tables worth watching, with what is known without reading their logs; and how a game is watched, for one viewer.

Only the projections of a game are read, no hand and no pack, so a list gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import cached_property

from accounts import permissions as account_permissions
from accounts.models import Player
from domain.engine.rulesets import ruleset
from domain.pace import Kind
from games import permissions as game_permissions
from games import projections
from games.models import Action, Game, Seat, TableWatching, WatchMode
from games.services.agreements import Wish, voters, wish_of
from games.watching import services as watching_services
from games.watching.models import NamedWatcher

PER_PAGE: Final = 20
MOST: Final = 1000
"""So many tables are listed: nobody turns more than fifty pages, and counting all would take longer than the page."""
WATCHED_BY: Final = 2
"""From this number of watchers on, a table counts as watched."""
REGULAR: Final = 20
"""From this number of finished games on, somebody counts as a regular player."""
CLOSE: Final = 5
"""A score is close if the best two are at most this many card points apart, or one stake if the game is played for
money."""
LAST_TRICKS: Final = 4
NO_CLOCK: Final = "none"
JUST_NOW: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class WatchSearch:
    """A search; empty fields match everything. `pace` is live, days or none."""

    game: str = ""
    pace: str = ""


@dataclass(frozen=True, slots=True)
class Party:
    """The players who share a total, and the total."""

    names: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class WatchLine:
    """One table. `reasons`, the strongest first: live, watched, close, last-tricks, last-hand, regulars, just-now."""

    public_id: str
    ruleset: str
    pace: str  # live, days, none
    hand: int  # the number of the current hand
    hands: int
    watchers: int
    parties: tuple[Party, ...]
    rappen: Annotated[bool, "the totals are money"]
    reasons: Annotated[tuple[str, ...], "why it is worth watching"]


def tables(sought: WatchSearch, viewer: Player | None, page: str = "1") -> tuple[Page[int], list[WatchLine]]:
    """A page of the first `MOST` tables that anybody may watch: live ones first, then by watchers, then the most
    recently active.

    The viewer's own games, and those of people whom they may not meet, are left out.
    """
    ranked = _Ranked(_running(sought, viewer))
    keys: Page[int] = Paginator(ranked, PER_PAGE).get_page(page)  # type: ignore[arg-type]  # it counts and slices, as it must
    rows = Game.objects.in_bulk(list(keys))  # only keys are sorted, since sorting thousands of whole rows takes long
    return keys, _lines([rows[key] for key in keys if key in rows], ranked.watchers)


class _Ranked:
    """The keys of running games in their order, as a sequence for a paginator.

    Only games that are live or watched are sorted by the number of watchers, all at once: there are no more of them
    than people on the site. The others, games of days, may be very many.
    """

    def __init__(self, running: QuerySet[Game]) -> None:
        self.running = running

    def __len__(self) -> int:
        return self.running.order_by()[:MOST].count()

    def __getitem__(self, part: slice) -> Sequence[int]:
        begin, end = (max(0, index - len(self.first)) for index in (part.start, part.stop))
        return [*self.first[part], *(self.others[begin:end] if end else ())]

    @cached_property
    def watchers(self) -> dict[int, int]:
        """The number of watchers of each live or watched game, by its key, in the order of the list."""
        here = watching_services.watchers_here()
        lively = self.running.filter(Q(is_live=True) | Q(pk__in=here.values("game")))
        watch = here.filter(game=OuterRef("pk")).order_by().values("game").annotate(many=Count("who", distinct=True))
        ranked = lively.annotate(watch=Coalesce(Subquery(watch.values("many")), 0))
        return dict(ranked.order_by("-is_live", "-watch", "-acted_at", "-pk").values_list("pk", "watch"))

    @property
    def first(self) -> list[int]:
        return list(self.watchers)

    @property
    def others(self) -> QuerySet[Game, int]:
        return self.running.exclude(pk__in=self.first).order_by("-acted_at", "-pk").values_list("pk", flat=True)


def _running(sought: WatchSearch, viewer: Player | None) -> QuerySet[Game]:
    games = Game.objects.filter(watching__mode=WatchMode.OPEN, status=Game.Status.PLAYING, kind=Game.Kind.PLAY)
    games = games.exclude(board_set__isnull=False, board_set__opened_at=None)
    if viewer is not None:
        unmet = Seat.objects.filter(player__in={viewer.pk, *account_permissions.strangers_to(viewer)})
        games = games.exclude(pk__in=unmet.values("game"))
    if sought.game:
        games = games.filter(ruleset=sought.game)
    if sought.pace == Kind.LIVE:
        return games.filter(is_live=True)
    if sought.pace:
        return games.filter(is_live=False, pace_kind="" if sought.pace == NO_CLOCK else Kind.DAYS)
    return games


def _lines(games: Sequence[Game], watchers: Mapping[int, int]) -> list[WatchLine]:
    keys = [game.pk for game in games]
    seats: dict[int, list[Seat]] = {key: [] for key in keys}
    for seat in Seat.objects.filter(game__in=keys).select_related("player__merged_into").order_by("number"):
        seats[seat.game_id].append(seat)
    people = {seat.player_id for each in seats.values() for seat in each if not seat.player.is_computer}
    regulars = _regulars(people)
    played = _cards_played(games)
    return [_line(game, seats[game.pk], watchers.get(game.pk, 0), regulars, played.get(game.pk, 0)) for game in games]


def _regulars(players: Iterable[int]) -> set[int]:
    """The keys of the players who have finished at least `REGULAR` games."""
    finished = Seat.objects.filter(
        player=OuterRef("pk"), game__status=Game.Status.FINISHED, game__kind=Game.Kind.PLAY
    ).order_by()
    # It is enough that game number REGULAR exists; counting all games would take long.
    regular = Player.objects.filter(Exists(finished[REGULAR - 1 : REGULAR]), pk__in=list(players))
    return set(regular.values_list("pk", flat=True))


def _cards_played(games: Iterable[Game]) -> dict[int, int]:
    """How many cards have been played in the current hand of each game, by its key."""
    current = Q(pk__in=[])
    for game in games:
        current |= Q(game=game.pk, hand_number=game.hand_number)
    plays = Action.objects.filter(current, kind=Action.Kind.MOVE, text__startswith="play ").order_by()
    return {row["game"]: row["cards"] for row in plays.values("game").annotate(cards=Count("pk"))}


def _line(game: Game, seats: Sequence[Seat], watchers: int, regulars: set[int], played: int) -> WatchLine:
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    names = [seat.player.display_name for seat in seats]
    parties = tuple(
        Party(tuple(names[seat] for seat in party), game.totals[party[0]]) for party in rules.parties(rules.sides)
    )
    clock = projections.clock_of(game)
    live = clock is not None and (clock.terms.kind is Kind.LIVE or clock.live)
    people = [seat.player_id for seat in seats if not seat.player.is_computer]
    hands, tricks = int(game.options["hands"]), sum(next(iter(rules.batches.values())))
    pace = NO_CLOCK if clock is None else str(Kind.LIVE if live else Kind.DAYS)
    reasons = {
        "live": live,
        "watched": watchers >= WATCHED_BY,
        "close": _is_close(game, parties),
        "last-tricks": played > 0 and tricks - played // rules.seats <= LAST_TRICKS,
        "last-hand": game.hands_played == hands - 1 and hands > 1,
        "regulars": bool(people) and regulars.issuperset(people),
        "just-now": not live and timezone.now() - game.acted_at < JUST_NOW,
    }
    return WatchLine(
        public_id=game.public_id,
        ruleset=rules.id,
        pace=pace,
        hand=min(game.hands_played + 1, hands),
        hands=hands,
        watchers=watchers,
        parties=parties,
        rappen="stake" in game.options,
        reasons=tuple(reason for reason, applies in reasons.items() if applies),
    )


def _is_close(game: Game, parties: Sequence[Party]) -> bool:
    """Whether at least one hand is over and the best two are close."""
    if not game.hands_played or len(parties) < 2:
        return False
    best, second = sorted((party.total for party in parties), reverse=True)[:2]
    return best - second <= int(game.options.get("stake", CLOSE))


@dataclass(frozen=True, slots=True)
class WatchingSeen:
    """How a game is watched. `count` is the number of watchers, `names` are the watchers who chose to be named.

    `sits`: the viewer plays. `choices` are the modes that a player may propose. `named`: the viewer is a watcher and
    named; `may_be_named`: they have a name to show.
    """

    public_id: str
    playing: bool
    count: int
    names: tuple[str, ...]
    mode: str
    mode_words: str
    sits: bool
    alone: bool
    choices: tuple[tuple[str, str], ...]
    asked: Wish | None
    named: bool
    may_be_named: bool


def watching_of(game: Game, viewer: Player | None) -> WatchingSeen:
    """How `game` is watched, for `viewer` (None: a stranger). Raises ClosedTable."""
    row = TableWatching.objects.filter(game=game).select_related("wished_by__merged_into").first()
    mode = WatchMode(row.mode) if row is not None else WatchMode.LINK
    game_permissions.check_may_see(game, viewer, mode)
    sealed = game.is_sealed
    if sealed:  # what was agreed is in force again when all tables have played
        mode, row = WatchMode.CLOSED, None
    playing, sits = game.status == Game.Status.PLAYING, game_permissions.sits(game, viewer)
    count = watching_services.count_watchers(game) if playing else 0
    needs_names = count or not sits  # without watchers, a player at the table sees no names
    chosen = set(NamedWatcher.objects.filter(game=game).values_list("player", flat=True)) if needs_names else set()
    known = watching_services.known_watchers(game) if count and chosen else []
    if known:  # people who may not meet do not read of each other
        chosen -= account_permissions.strangers_to(viewer)
    named = [player for player in known if player.pk in chosen]
    return WatchingSeen(
        public_id=game.public_id,
        playing=playing,
        count=count,
        names=tuple(player.display_name for player in named),
        mode=mode.value,
        mode_words=str(mode.label),
        sits=sits,
        alone=sits and len(voters(game)) < 2,
        choices=tuple((each.value, str(each.label)) for each in WatchMode if each is not mode)
        if sits and not sealed
        else (),
        asked=wish_of(row, WatchMode, viewer, "") if row is not None and sits and playing else None,
        named=viewer is not None and viewer.pk in chosen,
        may_be_named=viewer is not None and bool(viewer.name) and not sits,
    )
