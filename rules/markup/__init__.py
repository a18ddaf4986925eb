"""The markup of articles: CommonMark with citations, term links, card names and directives, made into clean HTML.

`render` makes a whole article, `sheet` its rule sheet, `inline` a caption or definition. What a writer types is parsed
without any HTML of its own, and what comes out passes a list of allowed elements; only what the engine and our templates
make is put in afterwards.
"""

from rules.markup.page import Trouble
from rules.markup.render import Rendered, Sheet, render, sheet, troubles
from rules.markup.resolving import inline

__all__ = ["Rendered", "Sheet", "Trouble", "inline", "render", "sheet", "troubles"]
