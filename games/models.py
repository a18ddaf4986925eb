"""Games as they are stored: the log of actions is the truth, everything else follows from it.

A deal is its `Deal` row (pack, secret, commitment) and the `Action` rows played with it. `Game` and `GameHand` hold
projections of the log, written in the same transaction; `manage.py rebuild` makes them anew. Deals that several tables play
are sealed until every table of their set has played them (`games.services.boards`).
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
    """Of rows that lead to a deal by this path: those whose deal is shared, and not open yet."""
    return Q(**{f"{deal}__origin": SHARED, f"{deal}__opened_at": None})


def pace_kind_column() -> models.GeneratedField:
    """A column that the database keeps equal to the kind in `pace`, for lists to filter by: "live", "days", or empty."""
    return models.GeneratedField(
        expression=Coalesce(KT("pace__kind"), models.Value(""), output_field=models.TextField()),
        output_field=models.CharField(max_length=4),
        db_persist=True,
    )


class BoardSet(models.Model):
    """Deals that are played at several tables, each as the hand with its number: a round of an event, or a day's deal."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    owner = models.CharField(max_length=80, unique=True)
    """Whose they are, in the words of who laid them: a round of a tournament, a day."""
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    table_size = models.PositiveSmallIntegerField()
    options = models.JSONField()
    boards = models.PositiveSmallIntegerField()
    """How many deals there are."""
    awaits = models.BooleanField(default=True)
    """Whether more tables may still begin with these deals: until then none of them opens."""
    changed = models.BooleanField(default=False)
    """Whether a table has played one, or is over, since it was last looked which of them may open."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Since when all of them are open."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["changed"], name="boards_to_open", condition=Q(changed=True, opened_at=None))]

    def __str__(self) -> str:
        return f"{self.boards} boards of {self.owner}"


class Memory(models.TextChoices):
    """What the pages of a table show of the tricks gathered in the hand that is played. Settled before the game begins."""

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
    """One game at one table. `number` is the number of its last action: whoever acts says which number they saw."""

    class Kind(models.TextChoices):
        PLAY = "play"
        GUIDED = "guided"
        PRACTICE = "practice"
        COMPUTERS = "computer"
        """Computer players alone, to be watched (`games.watching.computers`)."""

    class Status(models.TextChoices):
        PLAYING = "playing"
        FINISHED = "finished"
        RESIGNED = "resigned"
        EXPIRED = "expired"
        ENDED = "ended"
        """By consent, and it does not count."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PLAY)
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    table_size = models.PositiveSmallIntegerField(default=4)
    """How many play; a ruleset may be for several sizes."""
    draws_partners = models.BooleanField(default=False)
    """Whether seats are drawn when everybody has sat down; the order of arrival until then."""
    practice = models.JSONField(default=dict, blank=True)
    """Of a practice table: what it was opened from (`games.table.services`), and the `number` it began at. Of computer
    players alone: `until` when somebody without a socket counts as watching."""
    memory = models.CharField(max_length=4, choices=Memory.choices, default=Memory.LAST)
    """What is shown of the tricks of the hand that is played."""
    level = models.CharField(max_length=8, choices=Level.choices, default=Level.BEGINNER)
    """How well computer players play here, as it was agreed: those who act for people that are away. Of the others their own
    row says it."""
    pace = models.JSONField(default=dict, blank=True)
    """What was agreed about time (`domain.pace.Terms`); empty where nobody is hurried."""
    pace_kind = pace_kind_column()
    board_set = models.ForeignKey(BoardSet, null=True, blank=True, on_delete=models.PROTECT, related_name="games")
    """The deals it shares with other tables; empty where its packs are its own."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    # projections of the log
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PLAYING)
    number = models.PositiveIntegerField(default=0)
    hand_number = models.PositiveSmallIntegerField(default=0)
    hands_played = models.PositiveSmallIntegerField(default=0)
    totals = models.JSONField(default=list)
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that is asked; empty between deals and after the end."""
    asked = models.CharField(max_length=12, blank=True, default="")
    """What is asked now, as `games.read_models.Question` names it, or `games.projections.GO_ON`; empty while nobody is asked."""
    waits_for = models.PositiveIntegerField(default=0)
    """The seats whose people have something to do now, bit by bit: the one that is asked, or those that have not sat down."""
    acted_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    due_at = models.DateTimeField(null=True, blank=True)
    """When the worker has to do something for this game: a computer player's move, the hand that begins by itself, or the
    end of waiting for an answer to `undo`."""
    clock = models.JSONField(default=dict, blank=True)
    """The clocks of the seats (`domain.pace.Clock`); empty without a pace."""
    is_live = models.GeneratedField(
        expression=Case(When(Q(pace__kind=PaceKind.LIVE.value) | Q(clock__live=True), then=True), default=False),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    """Whether it is played live: by its pace, or because all agreed to play on live now. Lists filter by it."""
    deadline_at = models.DateTimeField(null=True, blank=True)
    """When the time of the seat that is asked is out, or a pause ends."""
    remind_at = models.DateTimeField(null=True, blank=True)
    """When the person who is asked is reminded of it."""

    undo = models.JSONField(default=dict, blank=True)
    """What somebody asks to take back (`games.projections.UndoProposal`); empty while nobody does."""
    ending = models.JSONField(default=dict, blank=True)
    """What somebody proposes about ending the game (`games.projections.EndProposal`); empty while nobody does."""
    seeks = models.BooleanField(default=False)
    """Whether a substitute is asked for one of the seats, so that others can find the game."""

    moment: datetime | None = None
    """No field: while a command holds the lock, the one time that all it writes will carry."""
    without_plans: tuple[int, ...] = ()
    """In the same way: the players, by key, of whom it was found just now that they have no `Plans`."""
    entered: list[Action] | None = None
    """And what it has written into the log, in order."""
    clock_read: tuple[object, Clock] | None = None
    """The clocks, as they were read from this very value of `clock`."""

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
        """Whether other tables still play deals of this game, so that nobody but those who sit here may learn anything of
        it. One query at a table with shared deals, unless `board_set` was read already."""
        return self.board_set is not None and self.board_set.opened_at is None

    def is_due(self, now: datetime) -> bool:
        """Whether something should have happened here by `now` of itself."""
        return any(due is not None and due <= now for due in (self.due_at, self.deadline_at))

    def read_seats(self) -> list[Seat]:
        """The seats in their order with their players, read unless that is done already. One query; one more where a guest
        sits who became a member."""
        if "seats" not in getattr(self, "_prefetched_objects_cache", {}):
            seats = self.seats.all()
            seats._result_cache = found = _seats_of(self.pk)  # as Django does with what it prefetches
            seats._prefetch_done = True  # type: ignore[attr-defined]  # of its inside, which the stubs leave out
            for seat in found:
                seat.game = self
            read_current(seat.player for seat in found)
            self._prefetched_objects_cache = {"seats": seats}
        return list(self.seats.all())

    def have_seats_of(self, known: Game) -> None:
        """The seats that were read with `known`, the same game at the same number, are this one's: nobody asks for them again."""
        if known is not self:
            self._prefetched_objects_cache = {"seats": known.seats.all()}


class Seat(models.Model):
    """Who sits where. Seats count in the order of play."""

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
    """A pack and how it came to lie so. Several games may use one; `pack` is null until it lies ready.

    Of a shared deal (`games.services.boards`) `table` is the public id of its set, and `ordinal` its number there. `commitment` was shown before anyone acted; `secret` stays here until the hand is over. `entropy` maps seats, as they
    came to the table, to the 16 bytes (hex) that their browsers added.
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
    """Whose they are (public ids, by the same seats) that came in passing, before the deal began; the log has the others."""
    pack = models.TextField(null=True)
    """Codes, top first, as they lie before the cut. Null until the pack lies ready."""
    cut = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many cards are lifted at every table of a shared deal; elsewhere a player cuts."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Since when a shared deal is open: every table has played it."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["table", "ordinal"], name="deal_of_table")]

    def __str__(self) -> str:
        return f"deal {self.ordinal} of table {self.table}"

    @property
    def is_sealed(self) -> bool:
        """Whether some table still has to play it, so that nobody may see more of it than at their own table."""
        return self.origin == Deal.Origin.SHARED and self.opened_at is None

    def compose(self, pack: Sequence[str]) -> None:
        """Let this pack lie ready, top first, instead of one from a secret: nothing is promised about it any more."""
        self.origin = Deal.Origin.COMPOSED
        self.pack = " ".join(pack)
        self.secret, self.commitment = None, ""
        self.save(update_fields=["origin", "pack", "secret", "commitment"])


class GameHand(models.Model):
    """One deal within a game: which pack, who deals; how it ended is a projection of the log."""

    class Status(models.TextChoices):
        """Where the hand stands; `waiting` until everybody is ready."""

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
    """One entry of a game's log: a move, or what was said unasked, in the record's words; or an event at the table.

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
    """A move or what was said, as in a record (without the seat), or the event's name: sat, drawn, ready, resigned, expired; those that
    `domain.pace.Clock` follows; and hinted, undo-proposed, undo-agreed, undo-declined, undone (`games.projections`)."""
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
        """Write the entry. Raises TypeError for one that is written already."""
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
    """What is agreed about who may watch one game, and what somebody proposes instead.

    Without a row: `WatchMode.LINK`, and nothing is proposed.
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
    """What the people of one game have agreed about their chat, and what one of them proposes instead.

    Without a row: `ChatMode.BETWEEN`, and nothing is proposed.
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
    """What one seat did in one hand that was played to its end: a projection of the log, written with the hand's last
    action (`games.projections`), made anew by `manage.py rebuild`.

    Only of games that count: not of lessons and practice tables.
    """

    hand = models.ForeignKey("games.GameHand", on_delete=models.CASCADE, related_name="played_seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="played_seats")
    """Who played it: who made most of the seat's moves. A computer player, where it acted more than the person."""
    shared = models.BooleanField(default=False)
    """Whether somebody else made some of the moves."""
    at = models.DateTimeField()
    month = models.PositiveIntegerField()
    """Of `at`, in UTC, as 202611."""
    ruleset = models.CharField(max_length=40)
    table_size = models.PositiveSmallIntegerField()
    people_only = models.BooleanField()
    """Whether all seats of the hand were played by people: not by computer players, nor under an account marked as a program."""

    # as `domain.engine.counting.SeatTally` has them
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
