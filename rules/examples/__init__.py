"""Examples of the articles, proved by the engine: read, put into a real position, answered, shown.

    example = read(text, ruleset="troccas", seats=None)
    html = show(example, "en", article_key="troccas", id="follow")

`reading` knows the form, `composing` finds a deal in which the position comes up, `answering` asks the engine what holds
there, `showing` puts it on the page.
"""

from rules.examples.position import Position, position
from rules.examples.reading import BadExample, Example, read
from rules.examples.showing import show

__all__ = ["BadExample", "Example", "Position", "position", "read", "show"]
