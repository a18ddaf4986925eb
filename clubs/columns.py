"""The columns of a list of members in a file: how they are called, how a cell is read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names import clean_line
from clubs.exceptions import BadFile
from clubs.models import PERSON_NAME_LENGTH, Member
from clubs.services.members import GROUP_LENGTH, MOST_GROUPS
from core.text import fold

FIELDS: Final = (
    "public_id", "last_name", "first_name", "email", "birth_year", "groups", "kind", "named", "joined_on",
)  # fmt: skip
"""In the order in which a file is written. `public_id` finds an entry again, whatever else has changed."""
_CALLED: Final[Mapping[str, str]] = {
    "public_id": "id|key|code|kennung|entry",
    "first_name": "first name|firstname|given name|vorname|rufname|prenum|prenom|nome",
    "last_name": "last name|lastname|surname|family name|name|nachname|familienname|num|nom|cognome",
    "email": "e mail|email|mail|e mail address|email address|e mail adresse|mailadresse|adressa dad e mail",
    "birth_year": "birth year|year of birth|born|jahrgang|geburtsjahr|jg|annada",
    "groups": "groups|group|family|gruppen|gruppe|familie|sektion|gruppa|gruppas",
    "kind": "kind|type|art|typ|mitgliedschaft",
    "named": "may be named|named|consent|name zeigen|darf genannt werden|einwilligung|zustimmung|consentiment",
    "joined_on": "joined|joined on|member since|eintritt|eintrittsdatum|beitritt|mitglied seit",
}
_KNOWN: Final = {called: field for field, names in _CALLED.items() for called in names.split("|")}
_YES: Final = frozenset(["yes", "y", "ja", "j", "gea", "oui", "si", "x", "1", "true", "wahr"])
_NO: Final = frozenset(["no", "n", "nein", "na", "non", "0", "false", "falsch"])
_GUEST: Final = frozenset(["guest", "guests", "gast", "gaste", "gasts", "hospes"])
_MEMBER: Final = frozenset(["member", "members", "mitglied", "mitglieder", "commember", "commembra", "aktiv"])
_DAY: Final = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
OLDEST: Final = 1900


def title(field: str) -> str:
    """What a column is called in a file we write; each of these is read again in any language of the site."""
    return {
        "public_id": "Id",
        "first_name": "First name",
        "last_name": "Last name",
        "email": "E-mail",
        "birth_year": "Birth year",
        "groups": "Groups",
        "kind": "Kind",
        "named": "May be named",
        "joined_on": "Joined",
    }[field]


def recognised(heads: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """Which column holds what, and the heads nobody knows. Raises BadFile where there is no column of names."""
    found: dict[str, int] = {}
    strange: list[str] = []
    for place, head in enumerate(heads):
        field = _KNOWN.get(fold(head))
        if field is None or field in found:
            strange += [head] if head else []
        else:
            found[field] = place
    if "first_name" not in found and "last_name" not in found:
        raise BadFile(
            _("The first line must say what the columns are: “First name” and “Last name”, or “Vorname” and “Name”.")
        )
    return found, strange


def read_line(row: Sequence[str], columns: Mapping[str, int]) -> tuple[dict[str, Any], list[str]]:
    """What a line says, by field, without its empty cells; and what is wrong with it, in words."""
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for field, place in columns.items():
        text = row[place] if place < len(row) else ""
        if not text:
            continue
        try:
            values[field] = _READERS[field](text)
        except ValueError as refused:
            wrong.append(str(refused))
        except ValidationError as refused:
            wrong += refused.messages
    if not (values.get("first_name") or values.get("last_name")) and not wrong:
        wrong.append(_("There is no name in this line."))
    return values, wrong


def written(member: Member) -> list[str]:
    """An entry as a line."""
    values: dict[str, str] = {
        "public_id": member.public_id,
        "first_name": member.first_name,
        "last_name": member.last_name,
        "email": member.email,
        "birth_year": str(member.birth_year or ""),
        "groups": ", ".join(member.groups),
        "kind": str(member.kind),
        "named": "yes" if member.named else "no",
        "joined_on": member.joined_on.isoformat(),
    }
    return [values[field] for field in FIELDS]


def value_of(member: Member, field: str) -> Any:
    """What an entry says now, in the form in which a line says it."""
    value = getattr(member, field)
    return value.isoformat() if isinstance(value, date) else value


def shown(field: str, value: Any) -> str:
    """A value as the reader of a dry run sees it."""
    if value in (None, "", []):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(value)
    return str(Member.Kind(value).label) if field == "kind" else str(value)


def clean_name(text: str) -> str:
    """A name of a person, on one line. Raises ValidationError, in the reader's language."""
    name = clean_line(text)
    if len(name) > PERSON_NAME_LENGTH:
        raise ValidationError(_("A name has at most %(most)d characters.") % {"most": PERSON_NAME_LENGTH})
    if name and not name[0].isalpha():
        raise ValidationError(_("A name begins with a letter: “%(name)s” does not.") % {"name": name[:20]})
    return name


def clean_groups(text: str) -> list[str]:
    """Groups, with commas between them. Raises ValidationError."""
    groups = list(dict.fromkeys(clean_line(each) for each in re.split(r"[,;/|]", text) if each.strip()))
    if len(groups) > MOST_GROUPS or any(len(each) > GROUP_LENGTH for each in groups):
        said = _("At most %(many)d groups, each with at most %(long)d characters.")
        raise ValidationError(said % {"many": MOST_GROUPS, "long": GROUP_LENGTH})
    return groups


def clean_year(year: int) -> int:
    """A year of birth. Raises ValidationError."""
    if not OLDEST <= year <= timezone.localdate().year:
        raise ValidationError(_("“%(year)d” is no year of birth.") % {"year": year})
    return year


def _public_id(text: str) -> str:
    return text[:20].lower()


def _email(text: str) -> str:
    try:
        validate_email(text)
    except ValidationError:
        raise ValueError(_("“%(text)s” is no e-mail address.") % {"text": text[:60]}) from None
    return text.lower()


def _year(text: str) -> int:
    if not re.fullmatch(r"\d{4}", text, re.ASCII):
        raise ValueError(_("“%(text)s” is no year of birth: write it with four figures.") % {"text": text[:20]})
    return clean_year(int(text))


def _kind(text: str) -> str:
    word = fold(text)
    if word in _GUEST:
        return str(Member.Kind.GUEST)
    if word in _MEMBER:
        return str(Member.Kind.MEMBER)
    raise ValueError(_("“%(text)s” is neither “member” nor “guest”.") % {"text": text[:20]})


def _named(text: str) -> bool:
    word = fold(text)
    if word in _YES or word in _NO:
        return word in _YES
    raise ValueError(_("“%(text)s” is neither yes nor no.") % {"text": text[:20]})


def _day(text: str) -> str:
    match = _DAY.fullmatch(text)
    try:
        found = date(int(match[3]), int(match[2]), int(match[1])) if match else date.fromisoformat(text)
    except ValueError:
        raise ValueError(_("“%(text)s” is no date: write 31.12.2026 or 2026-12-31.") % {"text": text[:20]}) from None
    return found.isoformat()


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "public_id": _public_id,
    "first_name": clean_name,
    "last_name": clean_name,
    "email": _email,
    "birth_year": _year,
    "groups": clean_groups,
    "kind": _kind,
    "named": _named,
    "joined_on": _day,
}
