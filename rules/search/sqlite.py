"""Looking rows up on SQLite: FTS5 over the words, FTS5 with trigrams over the vocabulary, both kept by triggers.

Words are letters and figures only (`fold`), so the `ascii` tokenizer, which splits at all other ASCII characters, sees
exactly our words. A migration that recreates one of the two tables loses its triggers and must call `install` again.
"""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING, Final

from rules.search.index import fetch
from rules.search.parsing import ROWS, Groups, Row, trigrams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TABLES: Final = """
CREATE VIRTUAL TABLE rules_search_fts USING fts5(words, content='', detail='none', prefix='2 3 4', tokenize='ascii');
CREATE VIRTUAL TABLE rules_search_trigrams USING fts5(word, content='', detail='none', tokenize='trigram case_sensitive 1');
""".strip().splitlines()
_FOLLOW: Final = """
CREATE TRIGGER {index}_added AFTER INSERT ON {table} BEGIN
  INSERT INTO {index}(rowid, {column}) VALUES (new.id, {new});
END
CREATE TRIGGER {index}_removed AFTER DELETE ON {table} BEGIN
  INSERT INTO {index}({index}, rowid, {column}) VALUES ('delete', old.id, {old});
END
CREATE TRIGGER {index}_changed AFTER UPDATE ON {table} BEGIN
  INSERT INTO {index}({index}, rowid, {column}) VALUES ('delete', old.id, {old});
  INSERT INTO {index}(rowid, {column}) VALUES (new.id, {new});
END
"""
# A word is stored with two spaces before it and one after it, as in PostgreSQL, so that its ends count as trigrams.
_INDEXES: Final = (
    ("rules_search_fts", "rules_searchentry", "words", "{}.words"),
    ("rules_search_trigrams", "rules_searchword", "word", "'  ' || {}.text || ' '"),
)
_BEST: Final = """
SELECT row.id FROM rules_search_fts AS hit JOIN rules_searchentry AS row ON row.id = hit.rowid
WHERE rules_search_fts MATCH %s{kinds} ORDER BY row.weight DESC, row.length, row.id LIMIT %s
"""
_WORDS: Final = """
SELECT word.text FROM rules_search_trigrams AS hit JOIN rules_searchword AS word ON word.id = hit.rowid
WHERE rules_search_trigrams MATCH %s AND word.length BETWEEN %s AND %s
"""
_HOLDING: Final = f"""
SELECT * FROM (
    SELECT %s AS part, text FROM ({_WORDS} AND instr(word.text, %s) ORDER BY word.length, word.text LIMIT %s)
)
"""  # noqa: S608  # a constant of ours


def install(execute: Callable[[str], object]) -> None:
    """Create the indexes from the content of the tables, replacing existing ones."""
    remove(execute)
    for statement in _TABLES:
        execute(statement)
    for index, table, column, value in _INDEXES:
        execute(f"INSERT INTO {index}(rowid, {column}) SELECT id, {value.format(table)} FROM {table}")  # noqa: S608  # constants of ours
        triggers = _FOLLOW.format(
            index=index, table=table, column=column, new=value.format("new"), old=value.format("old")
        )
        for trigger in triggers.strip().split("\nEND"):
            if trigger:
                execute(f"{trigger}\nEND")


def remove(execute: Callable[[str], object]) -> None:
    """Drop the indexes, if they exist."""
    for index, _table, _column, _value in _INDEXES:
        for moment in ("added", "removed", "changed"):
            execute(f"DROP TRIGGER IF EXISTS {index}_{moment}")
        execute(f"DROP TABLE IF EXISTS {index}")


def rows(groups: Groups, *, kinds: tuple[str, ...], limit: int) -> list[Row]:
    """The rows of the highest weight that contain a word of every group, in any order."""
    match = " AND ".join(
        "(" + " OR ".join(f'"{token.text}"*' if token.is_prefix else f'"{token.text}"' for token in group) + ")"
        for group in groups
    )
    condition = f" AND row.kind IN ({', '.join(['%s'] * len(kinds))})" if kinds else ""
    sql = ROWS.format(ids=_BEST.format(kinds=condition))
    return [Row._make(values) for values in fetch(sql, [match, *kinds, limit])]


def words_known(words: Iterable[str]) -> set[str]:
    """Those of `words` that are in the vocabulary."""
    sql = "SELECT text FROM rules_searchword WHERE text IN (SELECT value FROM json_each(%s))"
    return {text for (text,) in fetch(sql, [json.dumps(list(words))])}


def words_like(word: str, *, distance: int, alike: float) -> list[str]:
    """Every word of the vocabulary, at most `distance` letters longer or shorter, with a likeness of at least `alike`.

    The list may contain others as well.
    """
    threes = trigrams(f"  {word} ")
    # A word alike enough must share at least `spare + 1` trigrams, so it still shares one if `spare` of them are left
    # out of the query: those at the ends, since many words begin and end alike.
    spare = ceil(alike * len(threes) - 1e-9) - 1
    queried = threes[(spare + 1) // 2 : len(threes) - spare // 2]
    match = " OR ".join(f'"{three}"' for three in queried)
    return [text for (text,) in fetch(_WORDS, [match, len(word) - distance, len(word) + distance])]


def words_holding(parts: Iterable[str], *, limit: int) -> dict[str, list[str]]:
    """For each of `parts` (three letters or more), the words of the vocabulary that contain it, the shortest first."""
    by_part: dict[str, list[str]] = {part: [] for part in parts}
    values = [
        value
        for part in by_part
        for value in (part, " AND ".join(f'"{three}"' for three in trigrams(part)), len(part), 1000, part, limit)
    ]
    for part, text in fetch(" UNION ALL ".join([_HOLDING] * len(by_part)), values) if by_part else []:
        by_part[part].append(text)
    return by_part
