"""Forms: the choice to be shown in the ratings, and the people whose chances are to be computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from accounts import permissions as account_permissions
from accounts.models import NAME_LENGTH, Player
from accounts.permissions import Suspended
from core.forms import Form
from domain.rating.results import PARTNERS
from ratings import privacy
from ratings.selectors import Shown

MOST_ALONE: Final = 8
MOST_DEALS: Final = 1000
MOST_TABLES: Final = 50


class ConsentForm(Form):
    """The choice to show one's ratings. Also a section of the preferences."""

    show = forms.BooleanField(
        label=_("Show my ratings to everybody"),
        required=False,
        help_text=_(
            "In lists with others who want it, on your page, and in files for programs. Until you switch it on, nobody sees a number and none is kept. When you switch it off, it is gone at once."
        ),
    )
    pseudonym = forms.CharField(
        label=_("Pseudonym"),
        required=False,
        max_length=NAME_LENGTH,
        help_text=_(
            "Shown instead of your name, only there. People who know who you play with may still guess. Empty: your name is shown."
        ),
    )

    def __init__(self, data: Any, player: Player) -> None:
        self.player = player
        row = privacy.consent_of(player)
        initial = {"show": row is not None, "pseudonym": row.pseudonym if row else ""}
        super().__init__(data, initial=initial, auto_id="rated_%s")
        if not player.is_member:
            self.fields["show"].disabled = True
            self.fields["show"].help_text = _("Only people with an account can be shown in the ratings.")
            del self.fields["pseudonym"]

    def clean_pseudonym(self) -> str:
        return privacy.clean_pseudonym(self.player, self.cleaned_data["pseudonym"])

    def clean(self) -> dict[str, Any]:
        """Refuse a new pseudonym from somebody who may not write now: it is a public text."""
        data = super().clean() or self.cleaned_data
        if data.get("show") and not self.errors and self.player.is_member:
            row = privacy.consent_of(self.player)
            if data["pseudonym"] and (row is None or row.pseudonym != data["pseudonym"]):
                try:
                    account_permissions.check_not_suspended(self.player)
                except Suspended as suspended:
                    raise ValidationError(str(suspended), code="suspended") from None
        return data

    def write(self) -> None:
        if self.cleaned_data["show"] and self.player.is_member:
            privacy.show_player(self.player, self.cleaned_data["pseudonym"])
        else:
            privacy.hide(self.player)


class ChancesForm(Form):
    """Who plays against whom, how many deals, and how many other tables have the same deals.

    The fields of people are named `a1 a2 b1 b2` (two sides), or `a1` to `h1` if each plays alone. `sides` returns them.
    """

    def __init__(self, data: Any, kind: str, size: int, lines: Sequence[Shown]) -> None:
        super().__init__(data)
        self.kind = kind
        self.names = {line.ids[0]: line.names[0] for line in lines}
        sides = "ab" if kind == PARTNERS else "abcdefgh"[:MOST_ALONE]
        seats = range(1, size + 1) if kind == PARTNERS else range(1, 2)
        empty = _("somebody average") if kind == PARTNERS else _("nobody")
        for side in sides:
            for seat in seats:
                label = _("Player %(number)d") % {"number": seat if kind == PARTNERS else sides.index(side) + 1}
                choices = [("", empty), *((line.ids[0], line.names[0]) for line in lines)]
                self.fields[f"{side}{seat}"] = forms.ChoiceField(label=label, choices=choices, required=False)
        self.fields["deals"] = forms.IntegerField(
            label=pgettext_lazy("how many", "Deals"), min_value=1, max_value=MOST_DEALS, initial=8, required=False
        )
        self.fields["tables"] = forms.IntegerField(
            label=_("Other tables with the same deals"),
            min_value=0,
            max_value=MOST_TABLES,
            initial=0,
            required=False,
            help_text=_("0: deals that nobody else plays."),
        )
        self.side_names = sides

    def columns(self) -> list[list[forms.BoundField]]:
        """The fields of people, side by side."""
        return [
            [self[name] for name in self.fields if name[0] == side and name[1:].isdecimal()] for side in self.side_names
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse a person in two places, and forms with too few people."""
        data = super().clean() or self.cleaned_data
        people = [data[name] for name in self.fields if name[1:].isdecimal() and data.get(name)]
        if len(set(people)) < len(people):
            raise ValidationError(_("Nobody can sit in two places."), code="twice")
        least = 1 if self.kind == PARTNERS else 2
        if not self.errors and len(people) < least:
            text = ngettext("Choose at least %(count)d person.", "Choose at least %(count)d people.", least)
            raise ValidationError(text % {"count": least}, code="few")
        return data

    def sides(self) -> list[list[str]]:
        """Public ids by side; an average player gets an id that belongs to nobody. Only for a valid form."""
        sides = []
        for side in self.side_names:
            names = [name for name in self.fields if name[0] == side and name[1:].isdecimal()]
            sides.append([self.cleaned_data[name] or f"average {name}" for name in names])
        if self.kind == PARTNERS:
            return sides
        return [side for side in sides if not side[0].startswith("average ")]

    def deals(self) -> int:
        return int(self.cleaned_data["deals"] or 8)

    def tables(self) -> int:
        return int(self.cleaned_data["tables"] or 0)
