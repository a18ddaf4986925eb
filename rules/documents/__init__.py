"""What an entry of the encyclopedia holds, kind by kind: checking it, reading it as lines, merging two changes of it.

Pure: no database. `check` makes the canonical form that everything else expects.
"""

from rules.documents.checking import (
    Document,
    check,
    citations,
    concepts,
    digest,
    languages_changed,
    places,
    source_of,
)
from rules.documents.lines import Line, label_of, lines
from rules.documents.merging import Conflict, Merge, merge
from rules.documents.problems import BadDocument, Problem

__all__ = [
    "BadDocument",
    "Conflict",
    "Document",
    "Line",
    "Merge",
    "Problem",
    "check",
    "citations",
    "concepts",
    "digest",
    "label_of",
    "languages_changed",
    "lines",
    "merge",
    "places",
    "source_of",
]
