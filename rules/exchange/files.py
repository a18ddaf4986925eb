"""Files that somebody uploads: their size, decoding and flaws, line by line; and XML as a plain tree with line numbers.

XML is read without its dangers: no entity is ever expanded and nothing is fetched. A file that declares entities or a
document type of its own is refused, as are trees that are too deep or too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal

MOST_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong with a file; `line` counts from 1, 0 is the file as a whole."""

    line: int
    message: str | Promise

    def __str__(self) -> str:
        if not self.line:
            return str(self.message)
        return str(_("line %(line)d: %(message)s") % {"line": self.line, "message": self.message})


class BadFile(Refusal):
    """A file that cannot be read; nothing has been changed."""

    words = {"bad-file": _("This file cannot be read. Nothing has been changed.")}
    code = "bad-file"

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        super().__init__()
        self.flaws = tuple(flaws)

    def __str__(self) -> str:
        return "\n".join(map(str, self.flaws))


def check_size(length: int) -> None:
    """Raise BadFile for a file that is too large or empty."""
    if length > MOST_BYTES:
        raise BadFile([Flaw(0, format_lazy(_("This file is too large: at most {most} MB, please."), most=MOST_BYTES // 1_000_000))])  # fmt: skip
    if not length:
        raise BadFile([Flaw(0, _("This file is empty."))])


def decoded(data: bytes) -> str:
    """The text of a UTF-8 file. Raises BadFile with the first line that is not UTF-8."""
    check_size(len(data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile([Flaw(line, _("This is not UTF-8. Save the file as “CSV UTF-8” and send it again."))]) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadFile([Flaw(line, _("There is a character in it that does not occur in text. Is this file a table?"))])
    return text


DEEPEST: Final = 30
MOST_ELEMENTS: Final = 400_000
_XML: Final = "http://www.w3.org/XML/1998/namespace"
_PART: Final = " "  # between a name and its namespace, where expat puts it
_DANGEROUS: Final = _(
    "This file declares entities or a document type of its own. Such files are not read: take the declaration out."
)


@dataclass(slots=True)
class Node:
    """An element: name without namespace, attributes (with `xml:lang` by that name), direct text, and children."""

    name: str
    namespace: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def all(self, *names: str) -> list[Node]:
        return [child for child in self.children if child.name in names]

    def first(self, name: str) -> Node | None:
        return next((child for child in self.children if child.name == name), None)

    def every(self, *names: str) -> Iterator[Node]:
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.every(*names)

    @property
    def full_text(self) -> str:
        """Its text and that of elements within it (`hi`, `foreign`)."""
        return self.text if not self.children else self.text + "".join(child.full_text for child in self.children)


def read(data: bytes) -> Node:
    """The root of the tree. Raises BadFile, with the line, for invalid XML or XML that must not be read."""
    check_size(len(data))
    builder = _Builder()
    parser = expat.ParserCreate(namespace_separator=_PART)
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    builder.listen(parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise BadFile([Flaw(error.lineno, format_lazy(_("This is not well-formed XML: {why}."), why=why))]) from None
    except (LookupError, ValueError):  # what Python says of an encoding that it does not know, or that expat cannot use
        raise BadFile(
            [Flaw(1, _("The encoding named in the first line cannot be read. Save the file as UTF-8."))]
        ) from None
    assert builder.root is not None  # expat refuses a document without an element
    return builder.root


class _Builder:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.open: list[Node] = []
        self.count = 0
        self.parser: expat.XMLParserType

    def listen(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.refuse
        parser.ExternalEntityRefHandler = self.refuse
        parser.SkippedEntityHandler = self.refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= DEEPEST or self.count > MOST_ELEMENTS:
            self.fail(_("This file is nested too deeply, or has too many elements."))
        namespace, _between, local = name.rpartition(_PART)
        node = Node(local, namespace, {_attribute(key): value for key, value in attributes.items()}, self.line)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def end(self, _name: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].text += text

    def doctype(self, _name: str, _system: str | None, _public: str | None, has_internal_subset: int) -> None:
        if has_internal_subset:
            self.refuse()

    def refuse(self, *_arguments: object) -> int:
        self.fail(_DANGEROUS)
        return 0

    def fail(self, message: object) -> None:
        raise BadFile([Flaw(self.line, message)])  # type: ignore[arg-type]  # lazy texts have no common type

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber


def _attribute(name: str) -> str:
    namespace, _between, local = name.rpartition(_PART)
    return f"xml:{local}" if namespace == _XML else local
