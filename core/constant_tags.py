"""`{% translate %}`, `{% url %}` and `{% static %}` of constants are rendered once in each language, and kept.

They are a third of the work for a page that shows little else. What is kept depends on nothing but the language, the
path under which the site is served, and whether the template escapes what it inserts. All namespaces of URLs have one
instance each, so the current one makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

from django.template import Context, Library, Node, defaulttags
from django.template.base import FilterExpression, Parser, Token, Variable
from django.templatetags import static
from django.urls import get_script_prefix
from django.utils.translation import get_language

_Compile: TypeAlias = Callable[[Parser, Token], Node]


class Constant(Node):
    """A tag whose text is kept for each language."""

    child_nodelists = ()

    def __init__(self, node: Node) -> None:
        self.node = node
        self.texts: dict[tuple[str | None, str, bool], str] = {}

    def render(self, context: Context) -> str:
        key = get_language(), get_script_prefix(), context.autoescape
        text = self.texts.get(key)
        if text is None:
            text = self.texts[key] = self.node.render(context)
        return text


def kept(tag: _Compile, expression: str, *others: str) -> _Compile:
    """The compile function of a tag whose nodes have their argument in the attribute `expression`.

    Nodes that have anything in one of the attributes `others` are left as they are.
    """

    @wraps(tag)
    def compile_tag(parser: Parser, token: Token) -> Node:
        node = tag(parser, token)
        is_constant = _is_constant(getattr(node, expression)) and not any(getattr(node, name) for name in others)
        return Constant(node) if is_constant else node

    return compile_tag


def _is_constant(expression: FilterExpression) -> bool:
    """Whether a template expression is a text in quotes, without filters."""
    value = expression.var
    text = value.literal if isinstance(value, Variable) else value  # `{% translate %}` makes a variable of its text
    return isinstance(text, str) and not expression.filters


register = Library()
register.tag("url", kept(defaulttags.url, "view_name", "args", "kwargs", "asvar"))
register.tag("static", kept(static.do_static, "path", "varname"))
