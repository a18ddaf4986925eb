"""Reading the table's forms into actions as in a record; only the form is checked here, the rules are the engine's.

Also the form for a new table, built from the options that the ruleset declares, so that a new option needs only its
words here.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import NOT_OFFERED, NOT_WHOLE, Form
from core.http import whole_number
from domain.engine.actions import SAY, TALK_VERBS
from domain.engine.ruleset import Option, OptionValue, Ruleset
from domain.engine.rulesets import ruleset
from games.exceptions import GameError, Malformed
from games.models import Level, Memory
from games.selectors import rulesets

_LONGEST = 600
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Request:
    """The fields of every request for an action: the number of the last action that its sender saw, and an id of its
    own."""

    expected: int
    request_id: uuid.UUID


def read_request(data: QueryDict) -> Request:
    """Read the expected number and the request id. Raises Malformed."""
    expected = whole_number(data.get("expected", ""))
    if expected is None:
        raise Malformed("expected is the number of the last action seen")
    return Request(expected, read_request_id(data))


def read_number(data: QueryDict, name: str, *, digits: int) -> int:
    """The number in a field, with at most `digits` digits. Raises Malformed."""
    number = whole_number(data.get(name, ""), digits)
    if number is None:
        raise Malformed(f"{name} is a whole number")
    return number


def read_request_id(data: QueryDict) -> uuid.UUID:
    """The request id. Raises Malformed."""
    try:
        return uuid.UUID(data.get("request_id", ""))
    except ValueError:
        raise Malformed("request_id is a UUID") from None


class ExampleKey(NamedTuple):
    """An example of the encyclopedia: the key of its article, the article's language, the example's own id."""

    article: str
    language: str
    example: str


def read_example(data: QueryDict) -> ExampleKey:
    """The example to practise. Missing parts are empty texts, which match no example."""
    return ExampleKey(*(data.get(name, "")[:_LONGEST_NAME] for name in ExampleKey._fields))


def read_action(data: QueryDict) -> str:
    """The action as text: the field `action`, or else composed of `verb` and its parts.

    Raises Malformed, ``nothing-said``.
    """
    text = data.get("action", "")
    if not text:
        text = " ".join(_parts(data))
    if text == SAY:
        raise GameError("nothing-said")
    if not text or len(text) > _LONGEST:
        raise Malformed("an action is missing, or too long")
    if data.get("knock") and text.startswith("play ") and not text.endswith(" knock"):
        text += " knock"
    return text


def _parts(data: QueryDict) -> Iterable[str]:
    verb = data.get("verb", "")
    yield verb
    if verb in ("cut", "deal"):
        yield data.get("number", "").strip()
    elif verb in ("scart", "arrange", "discard", "play"):
        yield from data.getlist("card")
    elif verb in (*TALK_VERBS, SAY):
        yield from (phrase for phrase in data.getlist("phrase") if phrase)
        words = " ".join(data.get("words", "").split())
        if words:
            yield json.dumps(words, ensure_ascii=False)


ANY: Final = ("", gettext_lazy("any"))
"""The first choice of an optional field in a search form."""


def any_game() -> list[tuple[object, object]]:
    """The choices of a search field for a game."""
    return [ANY, *((ruleset_id, rulesets.game_name(ruleset_id)) for ruleset_id in rulesets.ORDER)]


SIZE: Final = "size"
MEMORY: Final = "memory"
LEVEL: Final = "level"


class TableForm(Form):
    """The form for a new table: how many play, and what they agree on.

    Every field has a default, so that one click is enough. A player alone with computer players sees all tricks by
    default, and need not remember what was played.
    """

    usual_memory = Memory.ALL

    def __init__(self, rules: Ruleset, data: Mapping[str, Any] | None = None, *, level: str = "") -> None:
        super().__init__(data, auto_id=f"{rules.id}-%s")
        self.rules = rules
        if len(rules.sizes) > 1:
            self.fields[SIZE] = forms.TypedChoiceField(
                coerce=int,
                choices=[(size, _("%(size)d players") % {"size": size}) for size in rules.sizes],
                initial=rules.seats,
                label=_("Players at the table"),
                error_messages={"invalid_choice": _("This game cannot be played by that many.")},
            )
        for option in rules.options:
            self.fields[option.name] = _field(option, several=len(rules.sizes) > 1)
        self.fields[MEMORY] = forms.ChoiceField(
            required=False,
            choices=Memory.choices,
            initial=self.usual_memory,
            label=_("Tricks that can be looked at"),
            help_text=_("While a hand is played. When it is over, every card lies open."),
            error_messages={"invalid_choice": NOT_OFFERED},
        )
        self.fields[LEVEL] = forms.ChoiceField(
            required=False,
            choices=Level.choices,
            initial=level or settings.COMPUTERS_LEVEL,
            label=_("Computer players play as"),
            error_messages={"invalid_choice": NOT_OFFERED},
        )

    def size(self) -> Any:
        """The field for the number of players; None if there is no choice."""
        return self[SIZE] if SIZE in self.fields else None

    def level_field(self) -> Any:
        """The field for the level of computer players."""
        return self[LEVEL]

    def agreements(self) -> list[Any]:
        """The fields of the options, and of which tricks are shown."""
        return [self[name] for name in (*(option.name for option in self.rules.options), MEMORY)]

    def level(self) -> Level:
        """The level of the computer players. Only for a valid form."""
        return Level(self.cleaned_data[LEVEL] or self.fields[LEVEL].initial)

    def memory(self) -> Memory:
        """Which tricks the table shows. Only for a valid form."""
        return Memory(self.cleaned_data[MEMORY] or self.usual_memory)

    def chosen(self) -> tuple[int, dict[str, OptionValue]]:
        """The number of players, and all options with the entered values. Only for a valid form."""
        size = self.cleaned_data.get(SIZE, self.rules.seats)
        values = {option.name: self.cleaned_data[option.name] for option in self.rules.options}
        entered = {name: value for name, value in values.items() if value is not None and value != ""}
        return size, ruleset(self.rules.id, self.rules.version, size).settled_options(entered)


def _field(option: Option, *, several: bool) -> forms.Field:
    label, text = words_of(option.name)
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, initial=option.default, label=label, help_text=text)
    if option.choices:
        words = choice_words()
        return forms.ChoiceField(
            choices=[(choice, words[choice]) for choice in option.choices],
            initial=option.default,
            label=label,
            help_text=text,
            error_messages={"invalid_choice": NOT_OFFERED},
        )
    per_table = option.one_per_player and several
    left_empty = _("Left empty: one for each player.")
    between = {"low": option.low, "high": option.high}
    return forms.IntegerField(
        required=not per_table,
        initial=None if per_table else option.default,
        min_value=option.low,
        max_value=option.high,
        label=label,
        help_text=f"{text} {left_empty}" if per_table else text,
        error_messages={
            **NOT_WHOLE,
            "required": _("Write a number from %(low)d to %(high)d.") % between,
            "min_value": _("Write a number from %(low)d to %(high)d.") % between,
            "max_value": _("Write a number from %(low)d to %(high)d.") % between,
        },
    )


def words_of(option: str) -> tuple[str, str]:
    """The label of an option, and a sentence about its effect. Raises KeyError for an option without words."""
    return {
        "hands": (_("Hands"), _("How many hands make the game.")),
        "talk": (
            _("What may be said"),
            _(
                "Where cards may be thrown in, players speak of them after each round of the deal; elsewhere everybody may say something before their own first card, and nobody waits for it."
            ),
        ),
        "throw_in": (
            _("Throwing in"),
            _("If all agree while the cards are being dealt, they are thrown in and dealt again."),
        ),
        "demands": (_("Shorter deals"), _("A side nine points behind may ask for the cards in bigger packets.")),
        "knock": (_("Knocking"), _("When trumps are led, the holder of the highest one still out may knock.")),
        "stake": (_("Stake in Rappen"), _("What the Tappist and each opponent pay one another, in play money.")),
        "double_at": (_("Double stake up to (points)"), _("Losers with so many points or fewer pay twice the stake.")),
    }[option]


def choice_words() -> dict[str, str]:
    """The labels of the values of options."""
    return {
        "phrases": _("phrases of the phrase book"),
        "silent": _("nothing but the answers that are asked for"),
        "free": _("phrases and own words"),
    }
