"""The form to set up a position: a field for each hand, in the codes of records, and whatever else the game needs."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import Form
from domain.engine import CODES, Card, CardSet, Record, Ruleset, UnknownRuleset
from domain.engine.cards import BIT, FOOL_BIT, LANES, SUITS, TRUMPS, in_hand_order
from domain.engine.rulesets import ruleset
from games.positions.layout import NAMES, BadPosition, Layout, record_of
from games.selectors import rulesets
from rules.examples.reading import CONTRACTS, Contract, hand_size
from rules.text import names

_LONGEST_HAND: Final = 300
_LONGEST_PLAYS: Final = 1200
_CODES: Final = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "rows": 1}


def tables() -> list[tuple[str, str]]:
    """Every game at every table size, as values and names of choices."""
    return [
        (f"{game}:{seats}", _("%(game)s, %(seats)d players") % {"game": rulesets.game_name(game), "seats": seats})
        for game in rulesets.ORDER
        for seats in ruleset(game).sizes
    ]


def table_named(value: str) -> Ruleset:
    """The game of a choice of `tables`; Troccas for four for any other value."""
    game, _colon, seats = value.partition(":")
    try:
        return ruleset(game, None, int(seats)) if seats.isascii() and seats.isdigit() else ruleset("troccas")
    except (UnknownRuleset, ValueError):
        return ruleset("troccas")


def table_value(rules: Ruleset) -> str:
    return f"{rules.id}:{rules.seats}"


def _cards_field(label: object, longest: int = _LONGEST_HAND) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=longest, widget=forms.Textarea(attrs=_CODES))  # type: ignore[arg-type]  # a lazy text


class PositionForm(Form):
    """A position. `record` is set once the form is valid. Fields that the game does not need are removed."""

    dealer = forms.TypedChoiceField(label=gettext_lazy("Dealer"), coerce=int)
    contract = forms.ChoiceField(label=gettext_lazy("What is played"), required=False)
    tappist = forms.TypedChoiceField(label=gettext_lazy("Who plays it"), coerce=int, required=False)
    called = forms.ChoiceField(label=gettext_lazy("The trump called for a partner"), required=False)
    aside = _cards_field("")
    keeps = forms.BooleanField(
        label=gettext_lazy("Nothing has been laid away yet: the cards to lay away are still in the hand"),
        required=False,
    )
    plays = _cards_field(gettext_lazy("Played, in order"), _LONGEST_PLAYS)
    left = forms.TypedChoiceField(label=gettext_lazy("Cards in each hand"), coerce=int)
    leader = forms.TypedChoiceField(label=gettext_lazy("Leads to the first trick"), coerce=int, required=False)
    led = forms.CharField(
        label=gettext_lazy("Suits led before"),
        help_text=gettext_lazy("Their letters, as CS. It matters for the king with his jack, and for a call."),
        required=False,
        max_length=12,
    )
    fill = forms.BooleanField(label=gettext_lazy("Give out the rest by chance"), required=False, initial=True)

    record: Record

    def __init__(self, *args: object, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        players = [(seat, NAMES[seat]) for seat in range(rules.seats)]
        for seat, player in players:
            self.fields[f"hand{seat}"] = _cards_field(player)
        for field in ("dealer", "tappist", "leader"):
            self.offer(field, players)
        self.fields["dealer"].initial = rules.seats - 1
        full = hand_size(rules)
        fewer = [(count, count) for count in range(full - 1, 0, -1)]
        self.offer("left", [(full, _("%(count)d, as the play begins") % {"count": full}), *fewer])
        self._offer_bidding()
        self.fields["aside"].label = _aside_label(rules)
        if not rules.scart and not rules.tapp:
            del self.fields["aside"], self.fields["keeps"]

    def _offer_bidding(self) -> None:
        """Offer the contracts and the called trumps of the game, and remove these fields if it has none."""
        bidding = self.rules.bidding
        if bidding is None:
            del self.fields["contract"], self.fields["tappist"], self.fields["called"]
            return
        contracts = [("normal", _("A normal game")), ("solo", _("Solo"))]
        if bidding.if_none_takes == "misere":
            contracts.append(("misere", _("Misere")))
        self.offer("contract", [("", _("Nobody has bid yet")), *contracts])
        if self.rules.seats < bidding.partner_from:
            del self.fields["called"]
        else:
            trumps = [(f"T{number}", f"T{number}") for number in range(1, 21)]
            self.offer("called", [("", _("nothing yet")), *trumps])

    @property
    def pack(self) -> list[list[str]]:
        """The cards of the game, suit by suit from the king down, then trumps and the Fool."""
        rows = [LANES[lane] & self.rules.pack for lane in range(4)] + [(LANES[TRUMPS] | FOOL_BIT) & self.rules.pack]
        return [_line(row).split() for row in rows]

    @property
    def places(self) -> list[forms.BoundField]:
        """The fields for cards: the hands, the cards aside, the cards played."""
        names = [*(f"hand{seat}" for seat in range(self.rules.seats)), "aside", "plays"]
        return [self[name] for name in names if name in self.fields]

    @property
    def around(self) -> list[forms.BoundField]:
        """The fields about a position, apart from its cards."""
        return [
            self[name] for name in ("dealer", "contract", "tappist", "called", "keeps", "fill") if name in self.fields
        ]

    @property
    def later(self) -> list[forms.BoundField]:
        """The fields for positions whose earlier tricks are made up."""
        return [self[name] for name in ("left", "leader", "led")]

    @property
    def is_later(self) -> bool:
        """Whether each hand has fewer cards than at the beginning of the play, or a field of `later` is wrong."""
        full = str(hand_size(self.rules))
        return str(self["left"].value() or full) != full or any(field.errors for field in self.later)

    def clean(self) -> dict[str, object]:
        """Make the `record` by having the engine play the position."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.record = record_of(self._layout(data), Random(secrets.randbits(64)))
        except BadPosition as error:
            text = error.message[:1].upper() + error.message[1:]
            self.add_error(error.field if error.field in self.fields else None, text)
        return data

    def _layout(self, data: Mapping[str, Any]) -> Layout:
        seen = 0

        def cards(name: str) -> CardSet:
            nonlocal seen
            held = 0
            for code in _words(data.get(name, "")):
                card = _card(code, self.rules, name)
                if (seen | held) & BIT[card]:
                    raise BadPosition(_("%(code)s is there twice.") % {"code": code}, name)
                held |= BIT[card]
            seen |= held
            return held

        contract: Contract = next((each for each in CONTRACTS if each == data.get("contract")), "")
        called = data.get("called", "")
        letters = "".join(data.get("led", "").upper().split())
        if not set(letters) <= set(SUITS):
            raise BadPosition(_("Write the letters of suits, as “CS”."), "led")
        return Layout(
            rules=self.rules,
            hands=tuple(cards(f"hand{seat}") for seat in range(self.rules.seats)),
            dealer=data["dealer"],
            aside=cards("aside"),
            contract=contract,
            tappist=data.get("tappist") or 0,
            called=CODES.index(called) if called else None,
            keeps=bool(data.get("keeps")),
            plays=tuple(_plays(data.get("plays", ""))),
            left=data["left"],
            leader=data.get("leader") or 0,
            led=frozenset(SUITS.index(letter) for letter in letters) if letters else None,
            fill=bool(data.get("fill")),
        )


def _split(text: str) -> list[str]:
    return text.replace(",", " ").replace(";", " ").split()


def _words(text: str) -> list[str]:
    return [word.upper() for word in _split(text)]


def _plays(text: str) -> list[str]:
    """The plays with cards in capitals and the words of the record in small letters."""
    words = []
    for word in _split(text):
        cards = set(word.upper().split("+")) <= set(CODES)
        words.append(word.upper() if cards else word.lower())
    return words


def _card(code: str, rules: Ruleset, field: str) -> Card:
    if code not in CODES:
        fields = {"code": code[:10]}
        raise BadPosition(_("There is no card “%(code)s”. Cards are written like CK, O10, T21 or F.") % fields, field)
    card = CODES.index(code)
    if not rules.pack & BIT[card]:
        raise BadPosition(_("%(code)s is not in the pack of this game.") % {"code": code}, field)
    return card


def _aside_label(rules: Ruleset) -> str:
    return _("The Tapp, or the cards laid away") if rules.tapp else names.own_word("scart").text.capitalize()


def initial_of(layout: Layout) -> dict[str, object]:
    """The initial values of the form for a layout."""
    return {
        **{f"hand{seat}": _line(held) for seat, held in enumerate(layout.hands)},
        "dealer": layout.dealer,
        "contract": layout.contract,
        "tappist": layout.tappist,
        "called": CODES[layout.called] if layout.called is not None else "",
        "aside": _line(layout.aside),
        "keeps": layout.keeps,
        "plays": " ".join(layout.plays),
        "left": layout.left or hand_size(layout.rules),
        "fill": True,
    }


def _line(held: CardSet) -> str:
    return " ".join(CODES[card] for card in in_hand_order(held))
