"""Pages in Sursilvan: what is not translated is in German, a whole sentence at a time, and both are marked.

For this language gettext returns strings that know their language: `Own` is Sursilvan and knows the same text in
German, `StandIn` is German. A text composed of them with `%` or `+` is Sursilvan only if every part is, and German
throughout otherwise (docs/adr/0018-sursilvan.md). Outside of HTML they are ordinary strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Final

from django.http import HttpRequest
from django.template import Context, Library, Node
from django.template.backends.django import DjangoTemplates, Template
from django.template.base import Parser, Token
from django.templatetags import i18n
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst as usual_capfirst
from django.utils.translation import get_language, gettext, override, trans_real
from django.views.i18n import JavaScriptCatalog

from core.constant_tags import kept

SURSILVAN: Final = "rm-sursilv"
GERMAN: Final = "de"

# They surround the texts of each language until the page is complete: Unicode reserves these for use inside a program.
OWN, STAND_IN, END = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKS: Final = re.compile(f"[{OWN}{STAND_IN}{END}]")
_TAG: Final = re.compile(r"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_TEXT_ONLY: Final = re.compile(r"(?<=>)[^<]*(?=</(?:title|option|textarea)>)")
_EMPTY: Final = re.compile(r"<(?:img|input|textarea|link)\b")
_WHOLE: Final = re.compile(rf"<([a-z]\w*)([^<>]*)>(\s*){OWN}([^<{OWN}{END}]*){END}(?=\s*</\1>)")
_TITLE: Final = re.compile(rf"<title>(?={OWN}[^<{STAND_IN}]*<)")
_NAMED: Final = re.compile(r"%\((\w+)\)")
_INNERMOST: Final = re.compile(rf"([{OWN}{STAND_IN}])([^{OWN}{STAND_IN}{END}]*){END}")


class Own(str):
    """A text in Sursilvan; `german` is the same text in German."""

    __slots__ = ("german",)
    german: str

    def __new__(cls, text: str, german: str = "") -> Own:
        made = super().__new__(cls, text)
        made.german = german or text
        return made

    def __str__(self) -> str:
        return self

    def __mod__(self, parts: object) -> str:
        parts = _named_parts(str.__add__(self, self.german), parts)
        german = self.german % _german(parts)
        return StandIn(german) if _any_stands_in(parts) else Own(super().__mod__(parts), german)

    def __add__(self, more: str) -> str:
        german = self.german + in_german(more)
        return StandIn(german) if _any_stands_in(more) else Own(super().__add__(more), german)

    def __html__(self) -> SafeString:
        marked = (
            f"{OWN}{escape(without_marks(super().__str__()))}{END}"
            if get_language() == SURSILVAN
            else escape(self.german)
        )
        return mark_safe(marked)  # noqa: S308  # escaped


class StandIn(str):
    """A text in German, because there is none in Sursilvan."""

    __slots__ = ()

    def __str__(self) -> str:
        return self

    def __mod__(self, parts: object) -> str:
        return StandIn(super().__mod__(_german(_named_parts(self, parts))))

    def __add__(self, more: str) -> str:
        return StandIn(super().__add__(in_german(more)))

    def __html__(self) -> SafeString:
        return mark_safe(f"{STAND_IN}{escape(without_marks(super().__str__()))}{END}")  # noqa: S308  # escaped


def language_of(text: str) -> str:
    """The `lang` that a text needs on its page; "" if the text is in the language of the page."""
    return SURSILVAN if isinstance(text, Own) else ""


def page_language() -> str:
    """The `lang` of a page for this reader: the language of everything in it that has no `lang` of its own."""
    language = get_language() or ""
    return GERMAN if language == SURSILVAN else language


def joined(between: str, items: Sequence[str]) -> str:
    """`between.join(items)`, in one language."""
    text = between.join(items)
    german = between.join(in_german(item) for item in items)
    if _any_stands_in(items):
        return StandIn(german)
    return Own(text, german) if german != text else text


def in_a_row(items: Iterable[str]) -> str:
    """Items as a sentence lists them, in one language: "a", "a and b", "a, b and c"; empty for none."""
    *many, last = list(items) or [""]
    return gettext("%(first)s and %(last)s") % {"first": joined(", ", many), "last": last} if many else last


def capfirst(text: object) -> str:
    """The text with a capital first letter, still marked with its language."""
    string = str(text)
    if isinstance(string, Own):
        return Own(usual_capfirst(string), usual_capfirst(string.german))
    if isinstance(string, StandIn):
        return StandIn(usual_capfirst(string))
    return usual_capfirst(string)


def in_german(text: str) -> str:
    return text.german if isinstance(text, Own) else text


def _named_parts(text: str, parts: object) -> object:
    """The parts that the text names, if they are a mapping: it may work out its values only when they are looked up."""
    return {name: parts[name] for name in _NAMED.findall(text)} if isinstance(parts, Mapping) else parts


def _parts(parts: object) -> list[object]:
    """What is put into a text or joined to it, as a list."""
    several: Iterable[object] = (parts,)
    if isinstance(parts, Mapping):
        several = parts.values()
    elif isinstance(parts, tuple | list):
        several = parts
    return [str(part) if isinstance(part, Promise) else part for part in several]


def _any_stands_in(parts: object) -> bool:
    return any(isinstance(part, StandIn) for part in _parts(parts))


def _german(parts: object) -> object:
    german = [in_german(part) if isinstance(part, str) else part for part in _parts(parts)]
    return dict(zip(parts, german, strict=True)) if isinstance(parts, Mapping) else tuple(german)


class _StandIns(NullTranslations):
    def gettext(self, message: str) -> str:
        return StandIn(trans_real.translation(GERMAN).gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return StandIn(trans_real.translation(GERMAN).ngettext(msgid1, msgid2, n))


class Sursilvan(trans_real.DjangoTranslation):
    """The catalogue of this language, with the German one behind it."""

    def _add_fallback(self, localedirs: object = None) -> None:
        self.add_fallback(_StandIns())

    def gettext(self, message: str) -> str:
        text = super().gettext(message)
        return text if isinstance(text, StandIn) else Own(text, trans_real.translation(GERMAN).gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        text = super().ngettext(msgid1, msgid2, n)
        if isinstance(text, StandIn):
            return text
        return Own(text, trans_real.translation(GERMAN).ngettext(msgid1, msgid2, n))


class SwissGerman(trans_real.DjangoTranslation):
    """The German catalogue as it is spelled in Switzerland: with ss, also where Django and other packages write ß."""

    def gettext(self, message: str) -> str:
        return super().gettext(message).replace("ß", "ss")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return super().ngettext(msgid1, msgid2, n).replace("ß", "ss")


_CATALOGUES: Final = {SURSILVAN: Sursilvan, GERMAN: SwissGerman}


def install() -> None:
    """Make Django use these catalogues from now on, even after it has cleared its cache of catalogues."""
    usual = trans_real.translation

    def translation(language: str) -> trans_real.DjangoTranslation:
        kept = trans_real._translations  # type: ignore[attr-defined]  # the stubs leave it out
        if language in _CATALOGUES and language not in kept:
            kept[language] = _CATALOGUES[language](language)
        return usual(language)

    trans_real.translation = translation


class ScriptWords(JavaScriptCatalog):
    """The translated texts of our scripts; in Sursilvan, with German for what is not translated."""

    def get_catalog(self) -> dict[str, list[str] | str]:
        own = super().get_catalog()
        if get_language() != SURSILVAN:
            return own
        self.translation = trans_real.DjangoTranslation(GERMAN, domain=self.domain)
        return super().get_catalog() | own


def without_marks(text: str) -> str:
    return _MARKS.sub("", text)


def marked(html: str) -> str:
    """A page, or a part of one, that is in German except for elements with a `lang`: those are in Sursilvan.

    An attribute cannot have a `lang` of its own and counts as being in the language of its element. So an element with
    a German attribute is never marked as Sursilvan, and an element without text is in the language of its attributes.
    """
    html = html.replace(f'<html lang="{SURSILVAN}"', f'<html lang="{GERMAN}"', 1)
    if not _MARKS.search(html):
        return html
    html = _WHOLE.sub(_of_element, _TITLE.sub(f'<title lang="{SURSILVAN}">', html))
    html = _TAG.sub(_of_tag, html)
    html = _TEXT_ONLY.sub(lambda found: without_marks(found[0]), html)
    while (less := _INNERMOST.sub(_of_part, html)) != html:
        html = less
    return without_marks(html)


def _of_tag(found: re.Match[str]) -> str:
    tag = found[0]
    if OWN in tag and STAND_IN not in tag and " lang=" not in tag:
        tag = _EMPTY.sub(rf'\g<0> lang="{SURSILVAN}"', tag)
    return without_marks(tag)


def _of_element(found: re.Match[str]) -> str:
    tag, attributes, space, text = found.groups()
    if STAND_IN in attributes:
        return found[0]
    if " lang=" not in attributes:
        attributes += f' lang="{SURSILVAN}"'
    elif f' lang="{SURSILVAN}"' not in attributes:
        return found[0]
    return f"<{tag}{attributes}>{space}{text}"


def _of_part(found: re.Match[str]) -> str:
    return f'<span lang="{SURSILVAN}">{found[2]}</span>' if found[1] == OWN else found[2]


class Sentence(Node):
    """`{% blocktranslate %}` that is in one language together with everything inserted into it."""

    child_nodelists = ()

    def __init__(self, block: i18n.BlockTranslateNode) -> None:
        self.block, self.variable = block, block.asvar
        block.asvar = None

    def render(self, context: Context) -> SafeString:
        text = self.block.render(context)
        if get_language() == SURSILVAN:
            if isinstance(text, StandIn) or STAND_IN in text:
                with override(GERMAN):
                    text = f"{STAND_IN}{self.block.render(context)}{END}"
            else:
                text = f"{OWN}{without_marks(text)}{END}"
        if not self.variable:
            return SafeString(text)
        context[self.variable] = SafeString(text)
        return SafeString("")


register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters
register.filter("capfirst", capfirst, is_safe=True)
for name in ("translate", "trans"):
    register.tag(name, kept(i18n.do_translate, "filter_expression", "message_context", "asvar"))


@register.tag("blocktranslate")
def sentence(parser: Parser, token: Token) -> Sentence:
    return Sentence(i18n.do_block_translate(parser, token))


class MarkedTemplate(Template):
    def render(self, context: dict[str, object] | None = None, request: HttpRequest | None = None) -> SafeString:
        text = super().render(context, request)
        is_page = (self.template.name or "").endswith(".html")
        return mark_safe(marked(text) if is_page else without_marks(text))  # noqa: S308  # what was safe


class Templates(DjangoTemplates):
    """Django’s templates, with the languages in their pages marked."""

    def get_template(self, template_name: str) -> MarkedTemplate:
        return MarkedTemplate(super().get_template(template_name).template, self)
