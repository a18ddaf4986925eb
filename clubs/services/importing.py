"""Members in files: read a file, show what each line would do, do exactly that; and write the list to a file.

A file only adds: it deletes nobody, and an empty cell changes nothing.
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
from django.utils.formats import date_format
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
        day = date(int(match[3]), int(match[2]), int(match[1])) if match else date.fromisoformat(text)
    except ValueError:
        raise ValueError(_("“%(text)s” is not a date: write 31.12.2026 or 2026-12-31.") % {"text": text[:20]}) from None
    return day.isoformat()


class Column(NamedTuple):
    """A column of a file: we write it in the writer's language, and read it in any language of the site.

    `title` is the heading we write, `names` are the folded headings we recognise, separated by ``|``, and `read` reads
    a cell. It raises ValueError or ValidationError that says in words what is wrong.
    """

    title: str | Promise
    names: str
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
"""In the order in which a file is written. `public_id` identifies an entry, whatever else has changed."""
COLUMNS: Final = tuple(_COLUMNS)
_FIELD_OF: Final = {name: field for field, column in _COLUMNS.items() for name in column.names.split("|")}
"""The field of each folded heading."""


def column_title(field: str) -> str:
    """The heading of a column in a file we write."""
    return str(_COLUMNS[field].title)


def recognised_columns(heads: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """The index of the column for each field, and the headings we do not know.

    Raises BadFile if there is no column of names.
    """
    columns: dict[str, int] = {}
    strange: list[str] = []
    for index, head in enumerate(heads):
        field = _FIELD_OF.get(fold(head))
        if field is None or field in columns:
            strange += [head] if head else []
        else:
            columns[field] = index
    if "first_name" not in columns and "last_name" not in columns:
        raise BadFile(
            _("The first line must say what the columns are: “First name” and “Last name”, or “Vorname” and “Name”.")
        )
    return columns, strange


def read_line(row: Sequence[str], columns: Mapping[str, int]) -> tuple[dict[str, Any], list[str]]:
    """The values of a line by field, without its empty cells; and what is wrong with it, in words."""
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for column, index in columns.items():
        text = row[index] if index < len(row) else ""
        if not text:
            continue
        try:
            values[column] = _COLUMNS[column].read(text)
        except ValueError as error:
            wrong.append(str(error))
        except ValidationError as error:
            wrong += error.messages
    if not (values.get("first_name") or values.get("last_name")) and not wrong:
        wrong.append(_("There is no name in this line."))
    return values, wrong


def member_as_line(member: Member) -> list[str]:
    return [_cell(member.get_kind_display() if field == "kind" else getattr(member, field)) for field in COLUMNS]


def _cell(value: Any) -> str:
    """A value as text that `Column.read` understands, in the reader's language."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(value)
    return value.isoformat() if isinstance(value, date) else str(value or "")


def value_of(member: Member, field: str) -> Any:
    """The value of a field of an entry, as `read_line` would give it."""
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
    if field == "joined_on":
        return date_format(date.fromisoformat(value))
    return str(Member.Kind(value).label) if field == "kind" else str(value)


class Outcome(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    DOUBTFUL = "doubtful"
    """Somebody of that name is in the list already, and may be another person: whoever imports the file decides."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file with its `values`. `before` has those values of the entry `member` that would change."""

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
        """What would change, in the order of the columns: the title of the column, the present value, the new value."""
        return [
            (column_title(key), value_shown(key, self.before[key]), value_shown(key, self.values[key]))
            for key in COLUMNS
            if key in self.before
        ]

    def entered(self) -> list[tuple[str, str]]:
        """What a new entry would hold beside the name, in the order of the columns: the title of the column, the value."""
        names = ("last_name", "first_name")
        return [
            (column_title(key), value_shown(key, self.values[key]))
            for key in COLUMNS
            if key in self.values and key not in names
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file would do. `strange` are the headings of unknown columns, which are ignored."""

    lines: tuple[Line, ...]
    strange: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        return Counter(line.outcome for line in self.lines)

    @property
    def to_do(self) -> int:
        """How many lines would change something, not counting the doubtful ones."""
        return self.counts[Outcome.NEW] + self.counts[Outcome.CHANGED]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done.

    `left` are the numbers of the lines that were skipped because the list had changed in the meantime; `wrong`: how many
    lines could not be taken.
    """

    entered: int
    changed: int
    left: tuple[int, ...]
    wrong: int = 0


DRAFT_LASTS: Final = retention.DRAFTS_KEPT


def read_file(club: Club, by: Player, filename: str, data: bytes) -> ImportDraft:
    """Read a file, and keep a draft of what it would do for a day. The list is not changed. Raises ``account-needed``,
    ``not-allowed``, BadFile."""
    check_may(by, club, Act.KEEP_MEMBERS)
    plan = plan_import(club, spreadsheets.read_lines(filename, data))
    plain = {"lines": [asdict(line) for line in plan.lines], "strange": list(plan.strange)}
    ImportDraft.objects.filter(club=club, by=by, applied_at__isnull=True).delete()
    return ImportDraft.objects.create(club=club, by=by, filename=filename[-120:], data=plain)


def plan_import(club: Club, rows: list[tuple[int, list[str]]]) -> Plan:
    """What importing the numbered rows would do, line by line. At most three queries. Raises BadFile."""
    columns, strange = recognised_columns(rows[0][1])
    if len(rows) < 2:
        raise BadFile(_("There is nothing below the line that names the columns."))
    known = MemberIndex(list(Member.objects.filter(club=club)))
    lines = [_line(number, row, columns, known) for number, row in rows[1:]]
    return Plan(tuple(lines), tuple(strange))


def draft(club: Club, by: Player, token: str) -> tuple[ImportDraft, Plan]:
    """The draft of a file and its plan, for the person who sent the file. Raises ``draft-gone``."""
    row = common.first_of(
        ImportDraft.objects.filter(club=club, by=by, token=token, at__gt=timezone.now() - DRAFT_LASTS), "draft-gone"
    )
    lines = tuple(Line(**{**line, "why": tuple(line["why"])}) for line in row.data["lines"])
    return row, Plan(lines, tuple(row.data["strange"]))


def apply_draft(
    club: Club, by: Player, token: str, *, also: frozenset[int] = frozenset(), request_id: uuid.UUID
) -> Done:
    """Do what was shown. The doubtful lines with the numbers `also` are entered as new people.

    A line is skipped, and listed in the result, if its entry has changed since, or its name has come into the list
    since. Applying a draft again does nothing and returns the same result. Raises ``club-gone``, ``not-allowed``,
    ``draft-gone``, ``list-full``, ``request-reused``.
    """
    with transaction.atomic():
        row = common.locked(club.pk)
        check_may(by, row, Act.KEEP_MEMBERS)
        kept, plan = draft(row, by, token)
        if kept.applied_at is not None:
            return _done(kept.data["done"])
        common.answered(row, by, request_id, "members.imported")
        new = [line for line in plan.lines if line.outcome == Outcome.NEW or _chosen(line, also)]
        if Member.objects.filter(club=row).count() + len(new) > members.MOST_MEMBERS:
            raise ClubError("list-full")
        done = _apply(row, by, plan, also)
        # The names are in the list now, so the contents of the file are not kept any longer.
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
    """The whole list as a file that can be imported again. `form` is ``csv`` or ``xlsx``. Raises ``account-needed``,
    ``not-allowed``."""
    check_may(by, club, Act.KEEP_MEMBERS)
    heads = [column_title(each) for each in COLUMNS]
    here = Member.objects.filter(club=club, left_on__isnull=True).order_by("sort_key", "pk")
    rows = [heads, *(member_as_line(member) for member in here)]
    return spreadsheets.write_xlsx([(club.name, rows)]) if form == "xlsx" else spreadsheets.write_csv(rows)


class MemberIndex:
    """The list of members, indexed for finding the person of a line, and the lines that were read before."""

    def __init__(self, everybody: list[Member]) -> None:
        self.by_id = {member.public_id: member for member in everybody}
        self.by_name: dict[str, list[Member]] = {}
        for member in everybody:
            self.by_name.setdefault(member.sort_key, []).append(member)
        self.by_email = {member.email: member for member in everybody if member.email}
        self.seen: dict[str, int] = {}
        self.new: dict[str, list[Line]] = {}
        """The lines of the file that enter somebody new, by name."""


def name_key(values: Mapping[str, Any]) -> str:
    return f"{fold(str(values.get('last_name', '')))}, {fold(str(values.get('first_name', '')))}"


def _line(number: int, row: list[str], columns: Mapping[str, int], known: MemberIndex) -> Line:
    values, wrong = read_line(row, columns)
    public_id = values.pop("public_id", "")
    if wrong:
        return Line(number, Outcome.WRONG, values, why=tuple(wrong))
    key = (
        public_id
        if public_id in known.by_id
        else name_key(values) + str(values.get("birth_year", "")) + values.get("email", "")
    )
    if key in known.seen:
        reason = _("The same person is on line %(line)d.") % {"line": known.seen[key]}
        return Line(number, Outcome.WRONG, values, why=(reason,))
    known.seen[key] = number
    if public_id in known.by_id:
        return _compared(number, values, known.by_id[public_id])
    line = matched_by_name(number, values, known)
    if line.outcome == Outcome.NEW:
        line = _checked_for_slips(line, columns, known)
        known.new.setdefault(name_key(values), []).append(line)
    return line


def _checked_for_slips(line: Line, columns: Mapping[str, int], known: MemberIndex) -> Line:
    """The line of somebody new; doubtful if it looks like a mistake: half a name, or the same name twice."""
    reasons = []
    if {"first_name", "last_name"} <= set(columns) and not {"first_name", "last_name"} <= set(line.values):
        reasons.append(_("This line has only one name. Is a separator missing?"))
    twin = next(
        (each for each in known.new.get(name_key(line.values), ()) if not are_two_people(each.values, line.values)),
        None,
    )
    if twin is not None:
        reasons.append(_("Line %(line)d has the same name. Tick it if it is somebody else.") % {"line": twin.number})
    return replace(line, outcome=Outcome.DOUBTFUL, why=tuple(reasons)) if reasons else line


def are_two_people(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two lines with the same name are two people by their year of birth or e-mail address."""
    return any(one.get(key) and other.get(key) and one[key] != other[key] for key in ("birth_year", "email"))


def matched_by_name(number: int, values: dict[str, Any], known: MemberIndex) -> Line:
    """The outcome of a line without the id of an entry: the person is found by name, unless something contradicts."""
    alike = known.by_name.get(name_key(values), [])
    fitting = [member for member in alike if _fits(values, member)]
    if len(fitting) == 1 and len(alike) == 1:
        return _compared(number, values, fitting[0])
    sure = [member for member in fitting if _is_sure(values, member)]
    if len(sure) == 1:
        return _compared(number, values, sure[0])
    if alike:
        reason = _("Somebody of that name is in the list, and it may be somebody else.")
        return Line(number, Outcome.DOUBTFUL, values, why=(reason,))
    other = known.by_email.get(values.get("email", ""))
    if other is not None:
        reason = _("%(name)s has the same e-mail address.") % {"name": f"{other.first_name} {other.last_name}".strip()}
        return Line(number, Outcome.DOUBTFUL, values, why=(reason,))
    return Line(number, Outcome.NEW, values)


def _fits(values: Mapping[str, Any], member: Member) -> bool:
    """Whether nothing in the line contradicts the entry."""
    year, email = values.get("birth_year"), values.get("email")
    same_year = year is None or member.birth_year in (None, year)
    return same_year and (not email or not member.email or member.email.lower() == email)


def _is_sure(values: Mapping[str, Any], member: Member) -> bool:
    """Whether something besides the name shows that it is the same person."""
    year, email = values.get("birth_year"), values.get("email")
    return (year is not None and member.birth_year == year) or bool(email and member.email.lower() == email)


def _compared(number: int, values: dict[str, Any], member: Member) -> Line:
    if member.left_on is not None:
        reason = _("This person has left the club. Take them back into the list first.")
        return Line(number, Outcome.WRONG, values, member.public_id, why=(reason,))
    if member.player_id is not None and values.get("named", member.named) != member.named:
        reason = _("This person has an account and decides alone whether they are named in public.")
        return Line(number, Outcome.WRONG, values, member.public_id, why=(reason,))
    if member.role != Member.Role.MEMBER and values.get("kind") == Member.Kind.GUEST:
        return Line(
            number, Outcome.WRONG, values, member.public_id, why=(_("Somebody with a role cannot be a guest."),)
        )
    before = {key: value_of(member, key) for key, value in values.items() if value_of(member, key) != value}
    outcome = Outcome.CHANGED if before else Outcome.SAME
    return Line(number, outcome, values, member.public_id, before)


def _chosen(line: Line, also: frozenset[int]) -> bool:
    return line.outcome == Outcome.DOUBTFUL and line.number in also


def _apply(club: Club, by: Player, plan: Plan, also: frozenset[int]) -> Done:
    entries = {member.public_id: member for member in Member.objects.filter(club=club)}
    names = {member.sort_key for member in entries.values()}
    entered, changed, left = 0, 0, []
    for line in plan.lines:
        if line.outcome == Outcome.NEW or _chosen(line, also):
            # Two people of the same name in the file itself are two people: only the list from before counts.
            if line.outcome == Outcome.NEW and name_key(line.values) in names:
                left.append(line.number)
                continue
            member = members.put(club, by, _details(line.values))
            common.log(club, "member.entered", actor=by, member=member)
            entered += 1
        elif line.outcome == Outcome.CHANGED:
            entry = entries.get(line.member)
            if entry is None or any(value_of(entry, key) != old for key, old in line.before.items()):
                left.append(line.number)
                continue
            members.rewrite(entry, by, _details(line.values, entry))
            changed += 1
    return Done(entered, changed, tuple(left), plan.counts[Outcome.WRONG])


def _details(values: Mapping[str, Any], member: Member | None = None) -> Details:
    """The details of an entry after the import: the values of the line where it has any, else those of the entry."""

    def value(key: str, default: Any) -> Any:
        return values.get(key, getattr(member, key) if member is not None else default)

    joined = values.get("joined_on")
    return Details(
        first_name=value("first_name", ""),
        last_name=value("last_name", ""),
        email=value("email", ""),
        birth_year=value("birth_year", None),
        groups=tuple(value("groups", ())),
        kind=value("kind", Member.Kind.MEMBER),
        named=values.get("named"),
        joined_on=date.fromisoformat(joined) if joined else None,
    )


def _done(data: Mapping[str, Any]) -> Done:
    return Done(data["entered"], data["changed"], tuple(data["left"]), data.get("wrong", 0))
