"""Choices for profiles and preferences: languages, cantons, time zones."""

from __future__ import annotations

import zoneinfo
from functools import cache
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.text import fold

LANGUAGES_SPOKEN: Final = (
    ("rm-sursilv", _("Sursilvan")),
    ("rm-sutsilv", _("Sutsilvan")),
    ("rm-surmiran", _("Surmiran")),
    ("rm-puter", _("Puter")),
    ("rm-vallader", _("Vallader")),
    ("rm-rumgr", _("Rumantsch Grischun")),
    ("gsw", _("Swiss German")),
    ("de", _("German")),
    ("fr", _("French")),
    ("it", _("Italian")),
    ("en", _("English")),
)
"""The languages that people at these tables are likely to speak: code (IETF) and name."""

CANTONS: Final = (
    ("AG", _("Aargau")),
    ("AI", _("Appenzell Inner Rhodes")),
    ("AR", _("Appenzell Outer Rhodes")),
    ("BE", _("Bern")),
    ("BL", _("Basel-Landschaft")),
    ("BS", _("Basel-Stadt")),
    ("FR", _("Fribourg")),
    ("GE", _("Geneva")),
    ("GL", _("Glarus")),
    ("GR", _("Grisons")),
    ("JU", _("Jura")),
    ("LU", _("Lucerne")),
    ("NE", _("Neuchâtel")),
    ("NW", _("Nidwalden")),
    ("OW", _("Obwalden")),
    ("SG", _("St Gallen")),
    ("SH", _("Schaffhausen")),
    ("SO", _("Solothurn")),
    ("SZ", _("Schwyz")),
    ("TG", _("Thurgau")),
    ("TI", _("Ticino")),
    ("UR", _("Uri")),
    ("VD", _("Vaud")),
    ("VS", _("Valais")),
    ("ZG", _("Zug")),
    ("ZH", _("Zurich")),
)
"""The cantons by their codes."""


def canton_choices(none: str | Promise = "–") -> list[tuple[str, str | Promise]]:
    """The cantons as choices for a form, in the order of their names in the reader's language, after none of them."""
    return [("", none), *sorted(CANTONS, key=lambda canton: fold(str(canton[1])))]


_REGIONS: Final = (
    ("Europe", _("Europe")),
    ("Africa", _("Africa")),
    ("America", _("America")),
    ("Asia", _("Asia")),
    ("Atlantic", _("Atlantic")),
    ("Australia", _("Australia")),
    ("Indian", _("Indian Ocean")),
    ("Pacific", _("Pacific")),
)


@cache
def time_zones() -> frozenset[str]:
    """The names of the time zones to choose from, such as `Europe/Zurich`: those of a region of the world, and UTC."""
    regions = {region for region, _name in _REGIONS}
    return frozenset({"UTC"} | {name for name in zoneinfo.available_timezones() if name.split("/")[0] in regions})


@cache
def time_zone_choices() -> tuple[tuple[object, object], ...]:
    """The time zones as choices for a form, grouped by region and sorted by the name of the place."""
    grouped: list[tuple[object, object]] = []
    for region, title in _REGIONS:
        names = sorted(name for name in time_zones() if name.startswith(f"{region}/"))
        grouped.append((title, tuple((name, name.partition("/")[2].replace("_", " ")) for name in names)))
    grouped.append((_("Elsewhere"), (("UTC", "UTC"),)))
    return tuple(grouped)
