"""What an entry of the encyclopedia holds, kind by kind: checking it, showing it as lines, merging two changes to it.

Pure: no database. `check` makes the canonical form that everything else expects.
"""

from rules.documents.kinds import Document, check, digest, languages_changed, references, source_of
from rules.documents.merging import Conflict, Line, Merge, label_of, lines, merge
from rules.documents.shapes import BadDocument, Problem

__all__ = [
    "BadDocument",
    "Conflict",
    "Document",
    "Line",
    "Merge",
    "Problem",
    "check",
    "digest",
    "label_of",
    "languages_changed",
    "lines",
    "merge",
    "references",
    "source_of",
]
