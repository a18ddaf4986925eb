"""Forms for finding a table: the search, and the table to open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from accounts.choices import CANTONS as CANTON_NAMES
from accounts.choices import LANGUAGES_SPOKEN
from accounts.models import NAME_LENGTH, Player
from accounts.names import clean_line, clean_name
from core.forms import Form, LanguageSelect
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from domain.pace import CANTONS, Kind, Out, Terms
from games import hooks
from games.forms import ANY, LEVEL, SIZE, TableForm, any_game
from games.lobby import text as paces
from games.lobby.models import NOTE_LENGTH, OpenTable
from games.lobby.selectors import open_tables
from games.lobby.services.tables import CORRESPONDENCE, Wish
from games.lobby.text import span
from games.models import ChatMode, Memory, WatchMode
from games.selectors import rulesets

EASILY_FOUND: Final = 4
"""The table size proposed for a game that can be played by more or fewer people."""


def usual_hands(rules: Ruleset, pace: paces.Pace) -> int:
    """The default number of hands of a game at this pace."""
    if pace.kind is Kind.DAYS:
        return int(str(CORRESPONDENCE["hands"]))
    return int(rules.settled_options({})["hands"])


_ANYBODY: Final = (OpenTable.Entry.EVERYONE, OpenTable.Entry.MEMBERS)


def _counts() -> list[tuple[object, object]]:
    return [ANY, *((n, ngettext("%(n)d or more", "%(n)d or more", n) % {"n": n}) for n in (2, 3, 4))]


class SearchForm(Form):
    """A search among the open tables; every field may be empty."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=any_game)
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"),
        required=False,
        choices=[
            ANY,
            ("days", gettext_lazy("days")),
            ("live", gettext_lazy("live")),
            ("none", gettext_lazy("no clock")),
        ],
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False, choices=[ANY, *LANGUAGES_SPOKEN])
    free = forms.TypedChoiceField(
        label=gettext_lazy("Free seats"), required=False, coerce=int, empty_value=None, choices=_counts
    )

    def sought(self) -> open_tables.TableSearch:
        """The search; invalid fields are ignored."""
        self.is_valid()
        data = self.cleaned_data
        return open_tables.TableSearch(
            data.get("game", ""), data.get("pace", ""), data.get("language", ""), data.get("free") or 1
        )


class NameForm(Form):
    """The name by which a guest is known at the table."""

    name = forms.CharField(required=False, max_length=NAME_LENGTH)

    def clean_name(self) -> str:
        """The name as it is stored. Raises ValidationError."""
        return clean_name(self.cleaned_data["name"])


class LetterForm(Form):
    """An invitation by e-mail: the address, and the language of the mail."""

    address = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Write the address of the person you want to invite."),
            "invalid": gettext_lazy("Write a whole e-mail address, as name@example.ch."),
        },
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language of the e-mail"), choices=settings.LANGUAGES, widget=LanguageSelect
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"language": get_language()})


class NewTableForm(TableForm):
    """The table to open: who may join, who plays, the clock, and the options of the game. Everything has a default."""

    usual_memory = Memory.LAST

    def __init__(
        self, rules: Ruleset, pace: paces.Pace, player: Player | None, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(rules, data)
        self.pace = pace
        self.kind = pace.kind
        self.draws = rulesets.draws_partners(rules)
        self.player = player
        if SIZE in self.fields:
            self.fields[SIZE].initial = EASILY_FOUND
        if self.kind is Kind.DAYS:
            for name in CORRESPONDENCE.keys() & self.fields.keys():
                self.fields[name].initial = CORRESPONDENCE[name]
        self.needs_name = player is None or not player.name
        if self.needs_name:
            self.fields["name"] = forms.CharField(
                required=False,
                max_length=NAME_LENGTH,
                label=_("Your name at the table"),
                help_text=_("The others want to know who they are playing with."),
            )
        self._add_people()
        self._add_times()

    def _add_people(self) -> None:
        self.fields["entry"] = forms.ChoiceField(
            choices=[*_entries(self.player)], initial=OpenTable.Entry.EVERYONE, label=_("Who may join")
        )
        self.fields["computers"] = forms.TypedChoiceField(
            coerce=int,
            choices=[(n, _computers(n, self.rules)) for n in range(max(self.rules.sizes))],
            initial=0,
            label=_("Computer players"),
            help_text=_("They sit down at once; people take the other seats."),
        )
        if self.draws:
            self.fields["seating"] = forms.ChoiceField(
                choices=OpenTable.Seating.choices,
                initial=OpenTable.Seating.DRAW,
                label=_("Seats"),
            )
        self.fields["wait"] = forms.TypedChoiceField(
            coerce=_seconds,
            choices=_times(paces.WAITS[self.kind], self.kind),
            initial=_number(paces.USUAL_WAIT[self.kind]),
            label=_("Wait for players"),
        )
        self.fields["language"] = forms.ChoiceField(
            required=False, choices=[("", _("any")), *LANGUAGES_SPOKEN], label=_("Language at the table")
        )
        self.fields["note"] = forms.CharField(
            required=False,
            max_length=NOTE_LENGTH,
            label=_("A word to the others"),
            help_text=_("For example since when you play, or for whom the table is meant."),
        )
        self.fields["chat"] = forms.ChoiceField(
            required=False,
            choices=ChatMode.choices,
            initial=ChatMode.BETWEEN,
            label=_("Chat at the table"),
            help_text=_(
                "People who play together tell each other nothing of their cards. You can change it later together."
            ),
        )
        self.fields["watchers"] = forms.ChoiceField(
            required=False,
            choices=[("", _("as for joining: whoever may sit down may also watch")), *WatchMode.choices],
            label=_("Who may watch"),
            help_text=_(
                "Watchers see what lies on the table, and the hands when the hand is over. You can change it later together."
            ),
        )
        self.fields["host_starts"] = forms.BooleanField(
            required=False,
            label=_("I begin the game myself"),
            help_text=_("Otherwise it begins as soon as the last seat is taken."),
        )

    def _add_times(self) -> None:
        terms, kind = self.pace.terms, self.kind
        if terms is None:
            return
        self.fields["action"] = forms.TypedChoiceField(
            coerce=_seconds,
            choices=_times(paces.ACTIONS[kind], kind),
            initial=_number(terms.action),
            label=_("Time for each move"),
        )
        self.fields["bank"] = forms.TypedChoiceField(
            coerce=_seconds,
            choices=_times(paces.BANKS[kind], kind),
            initial=_number(terms.bank),
            label=_("Reserve of each player"),
            help_text=_("For when the time for a move is not enough."),
        )
        self.fields["refills"] = forms.BooleanField(
            required=False, initial=terms.refills, label=_("The reserve is full again with each hand")
        )
        if kind is Kind.DAYS:
            self.fields["weekends"] = forms.BooleanField(
                required=False, initial=True, label=_("Saturdays and Sundays count")
            )
            names = dict(CANTON_NAMES)
            self.fields["holidays"] = forms.ChoiceField(
                required=False,
                choices=[("", _("count like other days")), *((code, names[code]) for code in CANTONS)],
                label=_("Public holidays"),
                help_text=_("Those of a canton need not count."),
            )
            self.fields["vacation"] = forms.TypedChoiceField(
                coerce=int,
                choices=[(n, _vacation(n)) for n in paces.VACATIONS],
                initial=terms.vacation,
                label=_("Vacation"),
                help_text=_("Days that somebody has announced in their preferences never count."),
            )
        self.fields["out"] = forms.ChoiceField(
            choices=[
                (Out.COMPUTER, _("a computer player plays until they are back")),
                (Out.SUBSTITUTE, _("another person is sought")),
            ],
            initial=Out.COMPUTER,
            label=_("When somebody’s time runs out"),
        )

    # groups of fields, as the page shows them

    def people(self) -> list[Any]:
        names = ("name", "entry", "computers", LEVEL, "seating")
        return [self[name] for name in names if name in self.fields]

    def more(self) -> list[Any]:
        """Fields about people that most hosts leave as they are."""
        return [self[name] for name in ("note", "language", "watchers", "chat", "wait", "host_starts")]

    def times(self) -> list[Any]:
        names = ("action", "bank", "refills", "weekends", "holidays", "vacation", "out")
        return [self[name] for name in names if name in self.fields]

    # the submitted values

    def clean_note(self) -> str:
        """The note as one visible line."""
        return clean_line(self.cleaned_data["note"])

    def clean_name(self) -> str:
        """The name as it is stored; empty if left out. Raises ValidationError."""
        name = self.cleaned_data.get("name", "")
        return clean_name(name) if name.strip() else ""

    def clean(self) -> dict[str, Any]:
        """Add errors for too many computer players, and for a table with other people if the host has no name."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        size, computers = data.get("size", self.rules.seats), data.get("computers")
        if computers is not None and computers >= size:
            self.add_error("computers", ValidationError(_("One seat is yours: choose fewer computer players.")))
        alone = computers is not None and computers == size - 1
        if self.needs_name and not alone and not data.get("name") and "name" not in self.errors:
            self.add_error("name", ValidationError(_("Write the name by which the others will know you.")))
        return data

    def terms(self) -> Terms | None:
        """The chosen pace; None without a clock. Only for a valid form."""
        if self.pace.terms is None:
            return None
        data = self.cleaned_data
        days = self.kind is Kind.DAYS
        return Terms(
            self.kind,
            data["action"],
            data["bank"],
            weekends=data["weekends"] if days else True,
            holidays=data["holidays"] if days else "",
            vacation=data["vacation"] if days else 0,
            out=Out(data["out"]),
            refills=data["refills"],
            announced=days,
        )

    def wish(self) -> Wish:
        """The chosen table. Only for a valid form."""
        data = self.cleaned_data
        size, options = self.chosen()
        rules = ruleset(self.rules.id, self.rules.version, size)
        return Wish(
            rules,
            options,
            self.terms(),
            data["wait"],
            entry=OpenTable.Entry(data["entry"].partition(":")[0]),
            club=data["entry"].partition(":")[2],
            seating=OpenTable.Seating(data["seating"]) if self.draws else OpenTable.Seating.CHOICE,
            computers=data["computers"],
            at=_opponents_first(rules),
            language=data["language"],
            note=data["note"],
            chat=data["chat"] or ChatMode.BETWEEN,
            watchers=self._watchers(),
            memory=self.memory(),
            level=self.level(),
            host_starts=data["host_starts"],
        )

    def _watchers(self) -> WatchMode:
        """Who may watch, as chosen. By default it is everybody if anybody may join, unless all others are computers."""
        data = self.cleaned_data
        if data["watchers"]:
            return WatchMode(data["watchers"])
        alone = data["computers"] == data.get("size", self.rules.seats) - 1
        return WatchMode.OPEN if data["entry"] in _ANYBODY and not alone else WatchMode.LINK


def _entries(player: Player | None) -> Iterable[tuple[str, object]]:
    """Choices of who may join; a club of the player has the value "club:" and its slug."""
    for entry in OpenTable.Entry:
        if entry is not OpenTable.Entry.CLUB:
            yield entry.value, entry.label
    if player is not None and player.is_member:
        for club in (club for clubs in hooks.clubs for club in clubs.of(player)):
            yield f"club:{club.slug}", _("members of %(club)s") % {"club": club.name}


def _opponents_first(rules: Ruleset) -> list[int]:
    """Seats in the order in which computer players take them: the host's partners are people as long as possible."""
    return sorted(range(1, rules.seats), key=lambda seat: (rules.sides[seat] == rules.sides[0], seat))


def _computers(count: int, rules: Ruleset) -> str:
    if count == 0:
        return _("none")
    if len(rules.sizes) == 1 and count == rules.seats - 1:
        return _("%(n)d: I play alone against them") % {"n": count}
    return str(count)


def _vacation(days: int) -> str:
    if not days:
        return _("only what was announced")
    return ngettext(
        "also up to %(n)d day by itself, before somebody first runs out of time",
        "also up to %(n)d days by themselves, before somebody first runs out of time",
        days,
    ) % {"n": days}


def _times(times: Iterable[timedelta], kind: Kind) -> list[tuple[int, str]]:
    return [(_number(time), span(time, kind) if time else _("none")) for time in times]


def _number(time: timedelta) -> int:
    return time // timedelta(seconds=1)


def _seconds(text: object) -> timedelta:
    return timedelta(seconds=int(str(text)))
