"""Games as they are stored: the log of actions is the truth, and everything else follows from it.

A deal is its `Deal` row (pack, secret, commitment) and the `Action` rows played with it. `Game` and `GameHand` hold
projections of the log, written in the same transaction; `manage.py rebuild` rebuilds them. Deals that several tables
play are sealed until every table of their set has played them (`games.services.boards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.models import Case, Q, When
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id, read_current
from core.prepared_queries import prepared
from domain.pace.terms import Kind as PaceKind

if TYPE_CHECKING:
    from domain.pace import Clock

SHARED: Final = "shared"
"""The origin of a deal that several tables play."""


def sealed(deal: str = "deal") -> Q:
    """A condition for rows with a deal at the path `deal`: it is shared, and not open yet."""
    return Q(**{f"{deal}__origin": SHARED, f"{deal}__opened_at": None})


def pace_kind_column() -> models.GeneratedField:
    """A generated column with the kind in `pace`, by which lists filter: "live", "days", or empty."""
    return models.GeneratedField(
        expression=Coalesce(KT("pace__kind"), models.Value(""), output_field=models.TextField()),
        output_field=models.CharField(max_length=4),
        db_persist=True,
    )


class BoardSet(models.Model):
    """Deals that are played at several tables, each as the hand with its number: a round of an event, or the deal of
    a day."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    owner = models.CharField(max_length=80, unique=True)
    """What they are for, as named by the app that created them: a round of a tournament, a day."""
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    table_size = models.PositiveSmallIntegerField()
    options = models.JSONField()
    boards = models.PositiveSmallIntegerField()
    """The number of deals."""
    awaits = models.BooleanField(default=True)
    """Whether more tables may still begin with these deals. While that is so, none of them is opened."""
    changed = models.BooleanField(default=False)
    """Whether a table has played one, or has ended, since the last check which of them may be opened."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """When all of them had been opened."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["changed"], name="boards_to_open", condition=Q(changed=True, opened_at=None))]

    def __str__(self) -> str:
        return f"{self.boards} boards of {self.owner}"


class Memory(models.TextChoices):
    """Which gathered tricks of the running hand the pages of a table show. Agreed before the game begins."""

    LAST = "last", _("the last trick only")
    ALL = "all", _("all that was played")


class Level(models.TextChoices):
    """How well computer players play, from weak to strong (`domain.bots.advice.LEVELS`)."""

    BEGINNER = "beginner", _("beginners")
    CLUB = "club", _("club players")
    STRONG = "strong", _("strong players")


class WatchMode(models.TextChoices):
    """Who may watch a game while it goes on."""

    OPEN = "open", _("everybody: the table is in the list of tables to watch")
    LINK = "link", _("whoever has the link")
    CLOSED = "closed", _("nobody but those who play")


class ChatMode(models.TextChoices):
    """When the people at a table may write to each other."""

    BETWEEN = "between", _("between hands: what is written while a hand is played is read when it is over")
    OPEN = "open", _("at any time, also while a hand is played")
    CLOSED = "closed", _("not at all")


class Game(models.Model):
    """One game at one table.

    `number` is that of its last action: every request to act says which number its sender saw.
    """

    class Kind(models.TextChoices):
        PLAY = "play"
        GUIDED = "guided"
        PRACTICE = "practice"
        COMPUTERS = "computer"
        """Only computer players, to be watched (`games.watching.computers`)."""

    class Status(models.TextChoices):
        PLAYING = "playing"
        FINISHED = "finished"
        RESIGNED = "resigned"
        EXPIRED = "expired"
        ENDED = "ended"
        """Ended by consent, as a game that does not count."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PLAY)
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    table_size = models.PositiveSmallIntegerField(default=4)
    """The number of players; a ruleset may have several sizes."""
    draws_partners = models.BooleanField(default=False)
    """Whether seats are drawn when everybody has sat down; until then players sit in the order of arrival."""
    practice = models.JSONField(default=dict, blank=True)
    """For a practice table: the origin of its position (`games.table.services`), and the `number` at which it began.
    For a table of computer players only: `until` when a viewer without a socket counts as watching."""
    memory = models.CharField(max_length=4, choices=Memory.choices, default=Memory.LAST)
    """Which tricks of the running hand are shown."""
    level = models.CharField(max_length=8, choices=Level.choices, default=Level.BEGINNER)
    """The agreed level of the computer players that act for people who are away. Those in their own seats have it in
    their row."""
    pace = models.JSONField(default=dict, blank=True)
    """What was agreed about time (`domain.pace.Terms`); empty for a game without a clock."""
    pace_kind = pace_kind_column()
    board_set = models.ForeignKey(BoardSet, null=True, blank=True, on_delete=models.PROTECT, related_name="games")
    """The deals it shares with other tables; null if its packs are its own."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    # projections of the log
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PLAYING)
    number = models.PositiveIntegerField(default=0)
    hand_number = models.PositiveSmallIntegerField(default=0)
    hands_played = models.PositiveSmallIntegerField(default=0)
    totals = models.JSONField(default=list)
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that is asked; null between deals and after the end."""
    asked = models.CharField(max_length=12, blank=True, default="")
    """What is asked now, as in `games.read_models.Question`, or `games.projections.GO_ON`; empty while nobody is
    asked."""
    waits_for = models.PositiveIntegerField(default=0)
    """The seats whose people have to do something now, as bits: the one that is asked, or those that have not sat
    down."""
    acted_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    due_at = models.DateTimeField(null=True, blank=True)
    """When the worker has to do something for this game: make a computer player's move, begin a deal, or end the
    proposal in `undo`."""
    clock = models.JSONField(default=dict, blank=True)
    """The clocks of the seats (`domain.pace.Clock`); empty without a pace."""
    is_live = models.GeneratedField(
        expression=Case(When(Q(pace__kind=PaceKind.LIVE.value) | Q(clock__live=True), then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    """Whether it is played live: by its pace, or because all have agreed to play on live now. Lists filter by it."""
    deadline_at = models.DateTimeField(null=True, blank=True)
    """When the time of the seat that is asked runs out, or a pause ends."""
    remind_at = models.DateTimeField(null=True, blank=True)
    """When the person who is asked is reminded."""

    undo = models.JSONField(default=dict, blank=True)
    """The proposal to take back a move (`games.projections.UndoProposal`); empty if there is none."""
    ending = models.JSONField(default=dict, blank=True)
    """The proposal to end the game (`games.projections.EndProposal`); empty if there is none."""
    seeks = models.BooleanField(default=False)
    """Whether a substitute is sought for one of the seats, so that others can find the game."""

    # attributes of one instance, not stored

    moment: datetime | None = None
    """While a command holds the lock: the one time that everything it writes carries."""
    without_plans: tuple[int, ...] = ()
    """The keys of players who were just found to have no `Plans`."""
    entered: list[Action] | None = None
    """The entries that the present command has written into the log, in order."""
    clock_read: tuple[object, Clock] | None = None
    """A value of `clock`, and the clocks read from it."""

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="game_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["deadline_at"], name="game_deadline", condition=models.Q(deadline_at__isnull=False)),
            models.Index(fields=["remind_at"], name="game_remind", condition=models.Q(remind_at__isnull=False)),
            models.Index(fields=["acted_at"], name="game_seeks", condition=models.Q(seeks=True)),
            models.Index(fields=["kind"], name="game_goes_on", condition=models.Q(status="playing")),
            models.Index(fields=["id"], name="game_of_computers", condition=models.Q(kind="computer")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["ruleset"], name="one_table_of_computers", condition=models.Q(kind="computer", status="playing")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.ruleset})"

    @property
    def is_sealed(self) -> bool:
        """Whether other tables still play deals of this game, so that only its own players may learn anything about it.

        One query at a table with shared deals, unless `board_set` was read already.
        """
        return self.board_set is not None and self.board_set.opened_at is None

    def is_due(self, now: datetime) -> bool:
        """Whether something should have happened here by itself before `now`."""
        return any(due is not None and due <= now for due in (self.due_at, self.deadline_at))

    def waits_for_seat(self, seat: int) -> bool:
        """Whether the person at `seat` has to do something now."""
        return bool(self.waits_for >> seat & 1)

    def read_seats(self) -> list[Seat]:
        """The seats in their order with their players; they are read only once.

        One query, and one more if a guest sits here who has become a member.
        """
        if "seats" not in getattr(self, "_prefetched_objects_cache", {}):
            seats = self.seats.all()
            seats._result_cache = rows = _seats_of(self.pk)  # as Django does for prefetched objects
            seats._prefetch_done = True  # type: ignore[attr-defined]  # internal, not in the stubs
            for seat in rows:
                seat.game = self
            read_current(seat.player for seat in rows)
            self._prefetched_objects_cache = {"seats": seats}
        return list(self.seats.all())

    def have_seats_of(self, known: Game) -> None:
        """Reuse the seats that were read with `known`, the same game at the same number, to save the query."""
        if known is not self:
            self._prefetched_objects_cache = {"seats": known.seats.all()}


class Seat(models.Model):
    """A seat and its player. Seats are numbered in the order of play."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="seat_taken_once")]

    def __str__(self) -> str:
        return f"seat {self.number} of game {self.game_id}"


@prepared
def _seats_of(game: int) -> models.QuerySet[Seat]:
    return Seat.objects.select_related("player").filter(game=game).order_by("number")


class Deal(models.Model):
    """A pack and its origin. Several games may use one deal; `pack` is null until it is made.

    For a shared deal (`games.services.boards`) `table` is the public id of its set, and `ordinal` its number in it.
    `commitment` was shown before anyone acted; `secret` is not revealed until the hand is over. `entropy` maps seats,
    in the order of arrival, to the 16 bytes (hex) that their browsers added.
    """

    class Origin(models.TextChoices):
        SHUFFLED = "shuffled"
        ARRANGED = "arranged"
        COMPOSED = "composed"
        SHARED = "shared"

    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.SHUFFLED)
    table = models.SlugField(max_length=PUBLIC_ID_LENGTH)
    ordinal = models.PositiveSmallIntegerField()
    secret = models.BinaryField(max_length=32, null=True)
    commitment = models.CharField(max_length=64, blank=True)
    entropy = models.JSONField(default=dict)
    given_by = models.JSONField(default=dict, blank=True)
    """The public ids of the players, by the same seats, whose entropy came before the deal began; the log has the
    others."""
    pack = models.TextField(null=True)
    """Codes, top first, in the order before the cut. Null until the pack is made."""
    cut = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many cards are lifted at every table of a shared deal; in other deals a player cuts."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """When a shared deal was opened, after every table had played it."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["table", "ordinal"], name="deal_of_table")]

    def __str__(self) -> str:
        return f"deal {self.ordinal} of table {self.table}"

    @property
    def is_sealed(self) -> bool:
        """Whether some table has still to play it, so that nobody may see more of it than at their own table."""
        return self.origin == Deal.Origin.SHARED and self.opened_at is None

    def compose(self, pack: Sequence[str]) -> None:
        """Replace the pack by this one, top first, instead of one made from a secret: nothing is promised about it
        any more."""
        self.origin = Deal.Origin.COMPOSED
        self.pack = " ".join(pack)
        self.secret, self.commitment = None, ""
        self.save(update_fields=["origin", "pack", "secret", "commitment"])


class GameHand(models.Model):
    """One deal within a game: its pack, its dealer, and its result, which is a projection of the log."""

    class Status(models.TextChoices):
        """The state of the hand; `waiting` until everybody is ready."""

        WAITING = "waiting"
        OPEN = "open"
        PLAYED = "played"
        THROWN_IN = "thrown-in"
        PASSED = "passed"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="hands")
    dealer = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.WAITING)
    points = models.JSONField(default=list)
    scores = models.JSONField(default=list)
    parties = models.JSONField(default=list)
    """The seats of each side, in the order of `points`; empty while nothing is counted."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="hand_dealt_once")]

    def __str__(self) -> str:
        return f"hand {self.number} of game {self.game_id}"


class AppendOnly(models.QuerySet["Action"]):
    def update(self, **changes: Any) -> int:
        raise TypeError("the log is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("the log is never shortened")


class Action(models.Model):
    """One entry of a game's log: a move or unprompted talk, as text as in a record; or an event at the table.

    Written once, never changed.
    """

    class Kind(models.TextChoices):
        MOVE = "move"
        SAID = "said"
        EVENT = "event"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="actions")
    number = models.PositiveIntegerField()
    hand_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=5, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    text = models.CharField(max_length=600)
    """A move or talk, as in a record (without the seat), or the event's name: sat, drawn, ready, resigned, expired;
    those that `domain.pace.Clock` follows; and hinted, undo-proposed, undo-agreed, undo-declined, undone
    (`games.projections`)."""
    data = models.JSONField(default=dict)
    player = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    request_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=timezone.now)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="action_numbered_once"),
            models.UniqueConstraint(fields=["game", "seat", "request_id"], name="action_requested_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.text[:40]}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the entry. Raises TypeError if it was saved before."""
        if not self._state.adding:
            raise TypeError("the log is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("the log is never shortened")


class Punctuality(models.Model):
    """One day (UTC) of one player: how often they acted in games with a clock, and how often their time ran out.

    A projection of the logs; `games.projections` reads it.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    actions = models.PositiveIntegerField(default=0)
    timeouts = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "punctuality"
        constraints = [models.UniqueConstraint(fields=["player", "day"], name="punctuality_once_a_day")]

    def __str__(self) -> str:
        return f"player {self.player_id} on {self.day}: {self.actions} in time, {self.timeouts} out of time"


class TableWatching(models.Model):
    """The agreement about who may watch one game, and the mode that is proposed instead.

    Without a row the mode is `WatchMode.LINK`, and nothing is proposed.
    """

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="watching")
    mode = models.CharField(max_length=6, choices=WatchMode.choices, default=WatchMode.LINK)
    wish = models.CharField(max_length=6, choices=WatchMode.choices, blank=True, default="")
    """The mode that is proposed; empty while nothing is."""
    wished_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    agreed = models.JSONField(default=list, blank=True)
    """The keys of the players who have agreed to what is proposed."""

    class Meta:
        verbose_name_plural = "tables watching"
        indexes = [models.Index(fields=["game"], name="listed_to_watch", condition=models.Q(mode="open"))]

    def __str__(self) -> str:
        return f"watching game {self.game_id}: {self.mode}"


class TableChat(models.Model):
    """The agreement about the chat of one game, and the mode that is proposed instead.

    Without a row the mode is `ChatMode.BETWEEN`, and nothing is proposed.
    """

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="chat")
    mode = models.CharField(max_length=7, choices=ChatMode.choices, default=ChatMode.BETWEEN)
    wish = models.CharField(max_length=7, choices=ChatMode.choices, blank=True, default="")
    """The mode that is proposed; empty while nothing is."""
    wished_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    agreed = models.JSONField(default=list, blank=True)
    """The keys of the players who have agreed to what is proposed."""

    def __str__(self) -> str:
        return f"chat of game {self.game_id}: {self.mode}"


class PlayedSeat(models.Model):
    """What one seat did in one hand that was played to its end.

    A projection of the log, written with the hand's last action (`games.projections`); `manage.py rebuild` rebuilds it.
    Only for games that count, not for lessons and practice.
    """

    hand = models.ForeignKey("games.GameHand", on_delete=models.CASCADE, related_name="played_seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="played_seats")
    """The player who made most of the seat's moves. A computer player, if it made more of them than the person."""
    shared = models.BooleanField(default=False)
    """Whether another player made some of the moves."""
    at = models.DateTimeField()
    month = models.PositiveIntegerField()
    """The month of `at`, in UTC, as in 202611."""
    ruleset = models.CharField(max_length=40)
    table_size = models.PositiveSmallIntegerField()
    people_only = models.BooleanField()
    """Whether all seats of the hand were played by people: not by computer players, nor by accounts marked as
    programs."""

    # the fields of `domain.engine.counting.SeatTally`
    party = models.PositiveSmallIntegerField()
    dealer = models.BooleanField()
    role = models.CharField(max_length=8, blank=True)
    score = models.IntegerField()
    points = models.SmallIntegerField()
    outcome = models.SmallIntegerField()
    tricks = models.PositiveSmallIntegerField()
    honours = models.PositiveSmallIntegerField()
    calls = models.PositiveSmallIntegerField()
    calls_met = models.PositiveSmallIntegerField()
    jacks_called = models.PositiveSmallIntegerField()
    fool = models.CharField(max_length=5, blank=True)
    bagat = models.CharField(max_length=5, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "seat"], name="seat_played_once")]
        indexes = [models.Index(fields=["player", "ruleset", "table_size", "at"], name="played_by")]

    def __str__(self) -> str:
        return f"player {self.player_id} at seat {self.seat} of hand {self.hand_id}: {self.score}"
