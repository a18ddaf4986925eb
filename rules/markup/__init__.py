"""The markup of articles: CommonMark with citations, term links, card names and directives, made into clean HTML.

`render` makes a whole article, `sheet` its rule sheet, `inline` a caption or definition. What a writer types is parsed without any HTML of its own,
and what comes out passes a list of allowed elements; only what the engine and our templates make is put in afterwards.
"""

from rules.markup.one_line import inline
from rules.markup.render import Rendered, render, troubles
from rules.markup.sheet import Sheet, sheet
from rules.markup.troubles import Trouble

__all__ = ["Rendered", "Sheet", "Trouble", "inline", "render", "sheet", "troubles"]
