"""The markup of articles: CommonMark with citations, term links, card names and directives, made into clean HTML.

`render` makes a whole article, `sheet` its rule sheet, `inline` a caption or definition. HTML that a writer types is
not interpreted, and the output is reduced to a list of allowed elements; only HTML from the engine and our templates is
inserted afterwards.
"""

from rules.markup.page import Trouble
from rules.markup.render import Rendered, Sheet, render, sheet, troubles
from rules.markup.resolving import inline

__all__ = ["Rendered", "Sheet", "Trouble", "inline", "render", "sheet", "troubles"]
