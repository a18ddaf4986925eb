"""Looking rows up on PostgreSQL: full text (a GIN index of words) and trigrams (pg_trgm over the vocabulary).

Words are separated by `fold` already, so no text-search configuration is applied: they become a tsvector as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import DatabaseError, connection

from rules.search.index import fetch
from rules.search.parsing import ROWS, Groups, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_VECTOR: Final = "array_to_tsvector(string_to_array(words, ' '))"
_INSTALL: Final = (
    f"CREATE INDEX rules_search_fts ON rules_searchentry USING gin ({_VECTOR}) WITH (fastupdate = off)",
    "CREATE INDEX rules_search_trigrams ON rules_searchword USING gin (text gin_trgm_ops) WITH (fastupdate = off)",
)
_BEST_ON_POSTGRES: Final = f"""
SELECT id FROM rules_searchentry
WHERE {_VECTOR} @@ %s::tsquery{{kinds}} ORDER BY weight DESC, length, id LIMIT %s
"""  # noqa: S608  # a constant of ours
# OFFSET 0 keeps the planner from reading the whole vocabulary, which costs ten times as much as a thousand look-ups.
_KNOWN: Final = """
SELECT word.text FROM unnest(%s::text[]) AS asked(text)
CROSS JOIN LATERAL (SELECT text FROM rules_searchword WHERE text = asked.text OFFSET 0) AS word
"""
_LIKE: Final = "SELECT text FROM rules_searchword WHERE text %% %s AND length BETWEEN %s AND %s"
_HOLDING: Final = """
SELECT part, word.text FROM unnest(%s::text[]) AS part, LATERAL (
    SELECT text, length FROM rules_searchword WHERE text LIKE '%%' || part || '%%' ORDER BY length, text COLLATE "C" LIMIT %s
) AS word ORDER BY part, word.length, word.text COLLATE "C"
"""


class NoTrigrams(Exception):
    """The database has no pg_trgm and this user may not create it; the message says who can, and how."""


def install(execute: Callable[[str], object]) -> None:
    """Create the indexes, replacing existing ones. Raises NoTrigrams."""
    try:
        execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError as error:
        raise NoTrigrams(
            "The search needs PostgreSQL's extension pg_trgm (package postgresql-contrib), and this database user may not "
            "create it. Let the owner of the database run, in this database:  CREATE EXTENSION pg_trgm;  "
            "Then run this command again."
        ) from error
    remove(execute)
    for statement in _INSTALL:
        execute(statement)


def remove(execute: Callable[[str], object]) -> None:
    """Drop the indexes, if they exist; the extension stays, since others may use it."""
    execute("DROP INDEX IF EXISTS rules_search_fts")
    execute("DROP INDEX IF EXISTS rules_search_trigrams")


def rows(groups: Groups, *, kinds: tuple[str, ...], limit: int) -> list[Row]:
    """The rows of the highest weight that contain a word of every group, in any order."""
    match = " & ".join(
        "(" + " | ".join(f"'{token.text}':*" if token.is_prefix else f"'{token.text}'" for token in group) + ")"
        for group in groups
    )
    sql = ROWS.format(ids=_BEST_ON_POSTGRES.format(kinds=" AND kind = ANY(%s)" if kinds else ""))
    return [Row._make(values) for values in fetch(sql, [match, *([list(kinds)] if kinds else []), limit])]


def words_known(words: Iterable[str]) -> set[str]:
    """Those of `words` that are in the vocabulary."""
    return {text for (text,) in fetch(_KNOWN, [list(words)])}


def words_like(word: str, *, distance: int, alike: float) -> list[str]:
    """Words of the vocabulary with at least the likeness `alike`, at most `distance` letters longer or shorter."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, false)", [f"{alike:.4f}"])
        cursor.execute(_LIKE, [word, len(word) - distance, len(word) + distance])
        return [text for (text,) in cursor.fetchall()]


def words_holding(parts: Iterable[str], *, limit: int) -> dict[str, list[str]]:
    """For each of `parts` (three letters or more), the words of the vocabulary that contain it, the shortest first."""
    by_part: dict[str, list[str]] = {part: [] for part in parts}
    for part, text in fetch(_HOLDING, [list(by_part), limit]) if by_part else []:
        by_part[part].append(text)
    return by_part
