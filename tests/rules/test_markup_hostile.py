"""Hostile texts: whatever somebody types ends as harmless text or as a clear message, and quickly."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.markup import Rendered, inline, render
from rules.markup.page import MAX_BYTES, clean

pytestmark = pytest.mark.django_db

SECONDS = 3.0


class Elements(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}


def made(text: str, *, preview: bool = True) -> Rendered:
    return render({"text": text}, "en", key="x", preview=preview)


def harmless(html: str) -> bool:
    found = Elements(html)
    names = {name for name, _value in found.attributes}
    addresses = {value for name, value in found.attributes if name in ("href", "src", "action", "formaction")}
    return (
        not found.tags
        & {"script", "style", "iframe", "object", "embed", "form", "input", "svg", "img", "base", "link", "meta"}
        and not any(name.startswith("on") or name in ("style", "srcdoc") for name in names)
        and all(re.match(r"(https?://|/|#)", address) for address in addresses)
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick='x'>b</b> <!-- c --> <style>*{display:none}</style>",
        "[x](javascript:alert(1)) <javascript:alert(1)>",
        "[x](JaVaScRiPt&colon;alert(1)) [y](&#106;avascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=) ![x](data:image/svg+xml,<svg/onload=alert(1)>)",
        "[x]: javascript:alert(1)\n\n[x]",
        "[x](//evil.example) [y](/g/play/) [z](mailto:a@b.example) [w](vbscript:x)",
        "[x](https://e.example 'a\" onmouseover=\"alert(1)')",
        '## Title {#x" onclick="y}\n\n## {#main}',
        "::: question x\ntitle = '<script>alert(1)</script>'\nreading = '<img src=x>'\n:::",
        "::: note\n<script>alert(1)</script>\n:::",
        "::: glance\n<b onclick=x>Players</b>: <script>\n:::",
        "[@<script>: x] [[words.<img>|<b>]] {<CK>}",
        "| <script> | b |\n|---|---|\n| <svg onload=x> | y |",
        '\ue0000.0\ue001 <div>\ue0000123456789abcdef.0\ue001</div>\n\n::: values\nruleset = "troccas"\n:::',
        '```js"><script>\nx\n```',
        "\x00\x00<\x00script>",
    ],
)
def test_nothing_dangerous_comes_through(text: str) -> None:
    for preview in (True, False):
        assert harmless(made(text, preview=preview).html)
    assert harmless(inline(text, "en"))


def test_a_script_is_shown_as_what_it_is() -> None:
    assert made("<script>alert(1)</script>").html == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"


def test_a_javascript_link_stays_text() -> None:
    assert made("[x](javascript:alert(1))").html == "<p>[x](javascript:alert(1))</p>\n"


def test_a_text_that_is_too_long_is_not_shown_but_said_to_be_so() -> None:
    rendered = made("ä" * (MAX_BYTES // 2 + 1))
    assert [str(trouble) for trouble in rendered.troubles] == ["This text is too long: 60 kB are the most."]
    assert len(rendered.html) < 200


def test_a_paragraph_that_nobody_writes_is_shown_as_it_is_typed() -> None:
    rendered = made("Fine.\n\n" + "*x* " * 2_001)
    assert [str(trouble) for trouble in rendered.troubles] == ["3: A paragraph may have 8000 characters."]
    assert "*x* *x*" in rendered.html


@pytest.mark.parametrize("mark", ["> ", "* ", "1. "])
def test_deep_nesting_is_told_with_its_line(mark: str) -> None:
    fine = "\n".join("   " * depth * (mark != "> ") + mark * (1 + depth * (mark == "> ")) + "x" for depth in range(8))
    assert made(fine).troubles == ()
    text = "Fine.\n\n" + mark * 9 + "deep"
    assert [str(trouble) for trouble in made(text).troubles] == ["3: Lists and quotations may be nested 8 deep."]


@pytest.mark.parametrize(
    "piece",
    [
        "> ", "* ", "- 1. ", "[", "![", "[[", "[@", "*", "**a", "_", "`", "``` ", "<", "{", "{#", ":::", "::: note\n", "\\",
        "|", "| a |\n", "&", "&#", "[a](", "[a]: b\n", "#", "a\n=\n", "\t", "  \n", "<a ", "<!--", "[x][", "](", "~~~\n",
        "*a **a ", "{CK}", "[@pagat: x]", "[[words.a|", "a" * 50 + " ", "\u0301", "\u202e",
    ],
)  # fmt: skip
@pytest.mark.slow(but="a\\n=\\n")
def test_long_rows_of_the_same_are_dealt_with_quickly(piece: str) -> None:
    text = piece * (MAX_BYTES // len(piece.encode()))
    begun = time.process_time()
    rendered = made(text)
    assert time.process_time() - begun < SECONDS
    assert harmless(rendered.html)


def test_a_bomb_of_toml_ends_in_a_message() -> None:
    for body in ("a = " + "[" * 20_000, "a." * 10_000 + "a = 1", 'a = """' + "x" * 50_000, "x = 1e999999999"):
        assert len(made(f"::: question x\n{body}\n:::").troubles) == 1


def test_a_writer_cannot_put_in_what_is_put_in_afterwards() -> None:
    html = made('::: values\nruleset = "troccas"\n:::\n\n<div>\ue000.0\ue001</div> \ue000.0\ue001').html
    assert html.count("<table") == 1


_PIECES = [
    *"ab \n:[]()@#{}*_`>|-<&;\"'\\!.1~=\t",
    ":::",
    "[@a: ",
    "[[",
    "javascript:",
    "<script>",
    "\n## ",
    "\n::: note\n",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=80).map("".join))
def test_any_text_renders_to_something_harmless(text: str) -> None:
    assert harmless(made(text).html)
    assert harmless(inline(text, "en"))


def test_the_second_wall_holds_by_itself() -> None:
    dirty = (
        '<p onclick="x" style="color:red" class="note evil">a<script>b</script></p><a href="javascript:x">c</a>'
        '<svg><use href="#x"></use></svg><form><input></form><div role="alert" tabindex="5" class="fixed">d</div>'
    )
    cleaned = clean(dirty)
    assert harmless(cleaned)
    assert cleaned == '<p class="note">a</p><a>c</a><div class="">d</div>'
