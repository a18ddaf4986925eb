"""Members in files: reading one, showing what each line would do, doing exactly that; and writing the list.

A file only adds: it deletes nobody, and an empty cell leaves what is there.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import Player
from clubs import spreadsheets
from clubs.exceptions import BadFile, ClubError
from clubs.models import Club, ImportDraft, Member
from clubs.permissions import Act, check_may
from clubs.services import common, members, retention
from clubs.services.members import Details, clean_groups, clean_name, clean_year
from core.text import fold

_YES: Final = frozenset(["yes", "y", "ja", "j", "gie", "gea", "oui", "si", "x", "1", "true", "wahr"])
_NO: Final = frozenset(["no", "n", "nein", "na", "non", "0", "false", "falsch"])
_GUEST: Final = frozenset(["guest", "guests", "gast", "gaste", "gasts", "hosp", "hospes"])
_MEMBER: Final = frozenset(["member", "members", "mitglied", "mitglieder", "commember", "commembra", "aktiv"])
_DAY: Final = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")


def _email(text: str) -> str:
    try:
        validate_email(text)
    except ValidationError:
        raise ValueError(_("“%(text)s” is not an e-mail address.") % {"text": text[:60]}) from None
    return text.lower()


def _year(text: str) -> int:
    if not re.fullmatch(r"\d{4}", text, re.ASCII):
        raise ValueError(_("“%(text)s” is not a year of birth: write it with four figures.") % {"text": text[:20]})
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
        raise ValueError(_("“%(text)s” is not a date: write 31.12.2026 or 2026-12-31.") % {"text": text[:20]}) from None
    return found.isoformat()


class Column(NamedTuple):
    """A column of a file we write, in the writer's language, and read again in any language of the site: its head, how it may
    be called, folded, and how a cell is read. A reader raises ValueError or ValidationError with what is wrong, in words."""

    title: str | Promise
    called: str
    read: Callable[[str], Any]


_COLUMNS: Final[Mapping[str, Column]] = {
    "public_id": Column("Id", "id|key|code|kennung|entry", lambda text: text[:20].lower()),
    "last_name": Column(
        gettext_lazy("Last name"),
        "last name|lastname|surname|family name|name|nachname|familienname|num|schlatteina|nom|cognome",
        clean_name,
    ),
    "first_name": Column(
        gettext_lazy("First name"), "first name|firstname|given name|vorname|rufname|prenum|prenom|nome", clean_name
    ),
    "email": Column(
        gettext_lazy("E-mail"),
        "e mail|email|mail|e mail address|email address|e mail adresse|mailadresse|adressa dad e mail",
        _email,
    ),
    "birth_year": Column(
        gettext_lazy("Birth year"), "birth year|year of birth|born|jahrgang|geburtsjahr|jg|annada", _year
    ),
    "groups": Column(
        gettext_lazy("Groups"), "groups|group|family|gruppen|gruppe|familie|sektion|gruppa|gruppas", clean_groups
    ),
    "kind": Column(gettext_lazy("Kind"), "kind|type|art|typ|mitgliedschaft", _kind),
    "named": Column(
        gettext_lazy("May be named"),
        "may be named|named|consent|name zeigen|darf genannt werden|einwilligung|zustimmung|consentiment",
        _named,
    ),
    "joined_on": Column(
        pgettext_lazy("column", "Joined"),
        "joined|joined on|member since|eintritt|eintrittsdatum|beitritt|mitglied seit",
        _day,
    ),
}
"""In the order in which a file is written. `public_id` finds an entry again, whatever else has changed."""
COLUMNS: Final = tuple(_COLUMNS)
_KNOWN: Final = {called: field for field, column in _COLUMNS.items() for called in column.called.split("|")}


def column_title(field: str) -> str:
    """What a column is called in a file we write."""
    return str(_COLUMNS[field].title)


def recognised_columns(heads: Sequence[str]) -> tuple[dict[str, int], list[str]]:
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
    for column, place in columns.items():
        text = row[place] if place < len(row) else ""
        if not text:
            continue
        try:
            values[column] = _COLUMNS[column].read(text)
        except ValueError as refused:
            wrong.append(str(refused))
        except ValidationError as refused:
            wrong += refused.messages
    if not (values.get("first_name") or values.get("last_name")) and not wrong:
        wrong.append(_("There is no name in this line."))
    return values, wrong


def member_as_line(member: Member) -> list[str]:
    return [_cell(member.get_kind_display() if field == "kind" else getattr(member, field)) for field in COLUMNS]


def _cell(value: Any) -> str:
    """A value as `Column.read` takes it, in the reader's language."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(value)
    return value.isoformat() if isinstance(value, date) else str(value or "")


def value_of(member: Member, field: str) -> Any:
    """What an entry says now, in the form in which a line says it."""
    value = getattr(member, field)
    return value.isoformat() if isinstance(value, date) else value


def value_shown(field: str, value: Any) -> str:
    """A value as the reader of a dry run sees it."""
    if value in (None, "", []):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(value)
    return str(Member.Kind(value).label) if field == "kind" else str(value)


class Outcome(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    DOUBTFUL = "doubtful"
    """Somebody of that name is there already, and may be another person: whoever imports decides."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file. `values` is what it says; `before` what the entry `member` says of the same where that differs."""

    number: int
    outcome: str
    values: dict[str, Any]
    member: str = ""
    before: dict[str, Any] = field(default_factory=dict)
    why: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.values.get('first_name', '')} {self.values.get('last_name', '')}".strip()

    def differences(self) -> list[tuple[str, str, str]]:
        """What would change: the name of the column, its value now, its value then; in the order of the columns."""
        return [
            (column_title(key), value_shown(key, self.before[key]), value_shown(key, self.values[key]))
            for key in COLUMNS
            if key in self.before
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file would do. `strange` are columns nobody knows: they are left alone."""

    lines: tuple[Line, ...]
    strange: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        return Counter(line.outcome for line in self.lines)

    @property
    def to_do(self) -> int:
        """How many lines would change something, without the doubtful ones."""
        return self.counts[Outcome.NEW] + self.counts[Outcome.CHANGED]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done; `left` are lines left alone because the list had changed meanwhile, by number."""

    entered: int
    changed: int
    left: tuple[int, ...]


DRAFT_LASTS: Final = retention.DRAFTS_KEPT


def read_file(club: Club, by: Player, filename: str, data: bytes) -> ImportDraft:
    """Read a file and keep what it would do for a day. Changes nothing in the list. Raises ``account-needed``,
    ``not-allowed``, BadFile."""
    check_may(by, club, Act.KEEP_MEMBERS)
    found = plan_import(club, spreadsheets.read_lines(filename, data))
    kept = {"lines": [asdict(line) for line in found.lines], "strange": list(found.strange)}
    ImportDraft.objects.filter(club=club, by=by, applied_at__isnull=True).delete()
    return ImportDraft.objects.create(club=club, by=by, filename=filename[-120:], data=kept)


def plan_import(club: Club, rows: list[tuple[int, list[str]]]) -> Plan:
    """What importing the numbered rows would do, line by line, in at most three queries. Raises BadFile."""
    found, strange = recognised_columns(rows[0][1])
    if len(rows) < 2:
        raise BadFile(_("There is nothing below the line that names the columns."))
    known = Known(list(Member.objects.filter(club=club)))
    lines = [_line(number, row, found, known) for number, row in rows[1:]]
    return Plan(tuple(lines), tuple(strange))


def draft(club: Club, by: Player, token: str) -> tuple[ImportDraft, Plan]:
    """What was read of a file, for the person who sent it. Raises ``draft-gone``."""
    found = common.first_of(
        ImportDraft.objects.filter(club=club, by=by, token=token, at__gt=timezone.now() - DRAFT_LASTS), "draft-gone"
    )
    lines = tuple(Line(**{**line, "why": tuple(line["why"])}) for line in found.data["lines"])
    return found, Plan(lines, tuple(found.data["strange"]))


def apply_draft(
    club: Club, by: Player, token: str, *, also: frozenset[int] = frozenset(), request_id: uuid.UUID
) -> Done:
    """Do what was shown; of the doubtful lines those in `also` are entered as new people.

    A line whose entry has changed since, or whose name has come into the list since, is left alone and told. A second time
    nothing is done and the same is answered. Raises ``club-gone``, ``not-allowed``, ``draft-gone``, ``list-full``,
    ``request-reused``.
    """
    with transaction.atomic():
        row = common.locked(club.pk)
        check_may(by, row, Act.KEEP_MEMBERS)
        kept, found = draft(row, by, token)
        if kept.applied_at is not None:
            return _done(kept.data["done"])
        common.answered(row, by, request_id, "members.imported")
        new = [line for line in found.lines if line.outcome == Outcome.NEW or _chosen(line, also)]
        if Member.objects.filter(club=row).count() + len(new) > members.MOST_MEMBERS:
            raise ClubError("list-full")
        done = _apply(row, by, found, also)
        # The names are in the list now; what was read of the file is not kept beside it.
        kept.data = {"lines": [], "strange": [], "done": asdict(done)}
        kept.applied_at = timezone.now()
        kept.save(update_fields=["data", "applied_at"])
        data = {"entered": done.entered, "changed": done.changed}
        common.log(row, "members.imported", actor=by, data=data, request_id=request_id)
        return done


def forget_draft(club: Club, by: Player, token: str) -> None:
    """Delete a draft that was not applied."""
    ImportDraft.objects.filter(club=club, by=by, token=token, applied_at__isnull=True).delete()


def export_members(club: Club, by: Player, form: str) -> bytes:
    """The list with everything in it, as `csv` or `xlsx`; it can be read again. Raises ``account-needed``,
    ``not-allowed``."""
    check_may(by, club, Act.KEEP_MEMBERS)
    heads = [column_title(each) for each in COLUMNS]
    here = Member.objects.filter(club=club, left_on__isnull=True).order_by("sort_key", "pk")
    rows = [heads, *(member_as_line(member) for member in here)]
    return spreadsheets.write_xlsx([(club.name, rows)]) if form == "xlsx" else spreadsheets.write_csv(rows)


class Known:
    """The list, for finding who a line is about; remembers the lines before."""

    def __init__(self, everybody: list[Member]) -> None:
        self.by_id = {member.public_id: member for member in everybody}
        self.by_name: dict[str, list[Member]] = {}
        for member in everybody:
            self.by_name.setdefault(member.sort_key, []).append(member)
        self.by_email = {member.email: member for member in everybody if member.email}
        self.seen: dict[str, int] = {}
        self.new: dict[str, list[Line]] = {}
        """Lines of the file that enter somebody, by name."""


def name_key(values: Mapping[str, Any]) -> str:
    return f"{fold(str(values.get('last_name', '')))}, {fold(str(values.get('first_name', '')))}"


def _line(number: int, row: list[str], found: Mapping[str, int], known: Known) -> Line:
    values, wrong = read_line(row, found)
    wanted = values.pop("public_id", "")
    if wrong:
        return Line(number, Outcome.WRONG, values, why=tuple(wrong))
    key = (
        wanted
        if wanted in known.by_id
        else name_key(values) + str(values.get("birth_year", "")) + values.get("email", "")
    )
    if key in known.seen:
        told = _("The same person is on line %(line)d.") % {"line": known.seen[key]}
        return Line(number, Outcome.WRONG, values, why=(told,))
    known.seen[key] = number
    if wanted in known.by_id:
        return _compared(number, values, known.by_id[wanted])
    line = by_name(number, values, known)
    if line.outcome == Outcome.NEW:
        line = _doubted(line, found, known)
        known.new.setdefault(name_key(values), []).append(line)
    return line


def _doubted(line: Line, found: Mapping[str, int], known: Known) -> Line:
    """Somebody new, but for what looks like a slip of the file: a name that is not whole, or the same one twice."""
    told = []
    if {"first_name", "last_name"} <= set(found) and not {"first_name", "last_name"} <= set(line.values):
        told.append(_("This line has only one name. Is a separator missing?"))
    twin = next(
        (each for each in known.new.get(name_key(line.values), ()) if not differ(each.values, line.values)), None
    )
    if twin is not None:
        told.append(_("Line %(line)d has the same name. Tick it if it is somebody else.") % {"line": twin.number})
    return replace(line, outcome=Outcome.DOUBTFUL, why=tuple(told)) if told else line


def differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two lines of one name say themselves that they are two people."""
    return any(one.get(key) and other.get(key) and one[key] != other[key] for key in ("birth_year", "email"))


def by_name(number: int, values: dict[str, Any], known: Known) -> Line:
    """Who the line is about, where it names no entry: one of that name about whom nothing says otherwise."""
    alike = known.by_name.get(name_key(values), [])
    fitting = [member for member in alike if _fits(values, member)]
    if len(fitting) == 1 and len(alike) == 1:
        return _compared(number, values, fitting[0])
    sure = [member for member in fitting if _is_sure(values, member)]
    if len(sure) == 1:
        return _compared(number, values, sure[0])
    if alike:
        told = _("Somebody of that name is in the list, and it may be somebody else.")
        return Line(number, Outcome.DOUBTFUL, values, why=(told,))
    other = known.by_email.get(values.get("email", ""))
    if other is not None:
        told = _("%(name)s has the same e-mail address.") % {"name": f"{other.first_name} {other.last_name}".strip()}
        return Line(number, Outcome.DOUBTFUL, values, why=(told,))
    return Line(number, Outcome.NEW, values)


def _fits(values: Mapping[str, Any], member: Member) -> bool:
    """Whether nothing in the line contradicts the entry."""
    year, email = values.get("birth_year"), values.get("email")
    same_year = year is None or member.birth_year in (None, year)
    return same_year and (not email or not member.email or member.email.lower() == email)


def _is_sure(values: Mapping[str, Any], member: Member) -> bool:
    """Whether something besides the name says that it is the same person."""
    year, email = values.get("birth_year"), values.get("email")
    return (year is not None and member.birth_year == year) or bool(email and member.email.lower() == email)


def _compared(number: int, values: dict[str, Any], member: Member) -> Line:
    if member.left_on is not None:
        told = _("This person has left the club. Take them back into the list first.")
        return Line(number, Outcome.WRONG, values, member.public_id, why=(told,))
    if member.player_id is not None and values.get("named", member.named) != member.named:
        told = _("This person has an account and decides alone whether they are named in public.")
        return Line(number, Outcome.WRONG, values, member.public_id, why=(told,))
    if member.role != Member.Role.MEMBER and values.get("kind") == Member.Kind.GUEST:
        return Line(
            number, Outcome.WRONG, values, member.public_id, why=(_("Somebody with a role cannot be a guest."),)
        )
    before = {key: value_of(member, key) for key, value in values.items() if value_of(member, key) != value}
    outcome = Outcome.CHANGED if before else Outcome.SAME
    return Line(number, outcome, values, member.public_id, before)


def _chosen(line: Line, also: frozenset[int]) -> bool:
    return line.outcome == Outcome.DOUBTFUL and line.number in also


def _apply(club: Club, by: Player, found: Plan, also: frozenset[int]) -> Done:
    entries = {member.public_id: member for member in Member.objects.filter(club=club)}
    names = {member.sort_key for member in entries.values()}
    entered, changed, left = 0, 0, []
    for line in found.lines:
        if line.outcome == Outcome.NEW or _chosen(line, also):
            # Two of one name in the file itself are two people: only the list of before is looked at.
            if line.outcome == Outcome.NEW and name_key(line.values) in names:
                left.append(line.number)
                continue
            member = members.put(club, by, _details(line.values))
            common.log(club, "member.entered", actor=by, member=member)
            entered += 1
        elif line.outcome == Outcome.CHANGED:
            known = entries.get(line.member)
            if known is None or any(value_of(known, key) != old for key, old in line.before.items()):
                left.append(line.number)
                continue
            members.rewrite(known, by, _details(line.values, known))
            changed += 1
    return Done(entered, changed, tuple(left))


def _details(values: Mapping[str, Any], member: Member | None = None) -> Details:
    """What the line says, over what the entry says."""

    def told(key: str, otherwise: Any) -> Any:
        return values.get(key, getattr(member, key) if member is not None else otherwise)

    joined = values.get("joined_on")
    return Details(
        first_name=told("first_name", ""),
        last_name=told("last_name", ""),
        email=told("email", ""),
        birth_year=told("birth_year", None),
        groups=tuple(told("groups", ())),
        kind=told("kind", Member.Kind.MEMBER),
        named=values.get("named"),
        joined_on=date.fromisoformat(joined) if joined else None,
    )


def _done(data: Mapping[str, Any]) -> Done:
    return Done(data["entered"], data["changed"], tuple(data["left"]))
