"""The examples in articles, verified by the engine: read, put into a real position, answered, shown.

    example = read(text, ruleset="troccas", seats=None)
    html = show(example, "en", id="follow")

`reading` parses them, `composing` finds a deal in which the position occurs, `answering` gets the answers from the
engine, `showing` renders them.
"""

from rules.examples.position import Position, position
from rules.examples.reading import BadExample, Example, read
from rules.examples.showing import show

__all__ = ["BadExample", "Example", "Position", "position", "read", "show"]
