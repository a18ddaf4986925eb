"""Everything that was drawn in a tournament, in one file, and whether it holds.

JSON, UTF-8. Once the tournament is closed `secret` stands in it; until then it is null, and only the draws themselves can
be checked:

    {"format": "troccas-tournament-draws", "version": 1, "tournament": "…", "commitment": "64 hex digits", "secret": "…",
     "draws": [{"phase": 1, "round": 2, "attempt": 1, "promised_at": "…", "drawn_at": "…", "status": "out",
                "undone": null, "file": {what `domain.seating.files` says}}],
     "pairs": [{"attempt": 17, "at": "…", "single": ["e1", …], "pairs": [["e1", "e4"], …]}],
     "lots": [{"phase": 1, "label": "…", "order": ["e3", "e5"], "seed": "64 hex digits"}]}

`undone` is null, or the reason and the time of a draw that was taken back. The file of a draw that is not out yet
(`status` draft) holds the promise only. How seeds follow from the secret is said in `domain.tournament.drawing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from domain.seating import files
from domain.seating.chance import Chance
from domain.seating.seat import PLANNED
from domain.standings import ranking
from domain.standings.sheets import Lot
from domain.tournament import drawing

FORMAT: Final = "troccas-tournament-draws"
VERSION: Final = 1
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold. `where` names the draw (``1.2/1``: phase, round, attempt), the lot or the pairs;
    empty for the whole file. The codes:

    * ``bad-format``: no file of this kind and version, or a part of it is not what it should be.
    * ``wrong-secret``: the secret is not the one that was promised when the tournament opened.
    * ``wrong-seed``: the seed does not come from the secret.
    * ``attempt-missing``: a draw was made that is not in the file.
    * ``wrong-lot``, ``wrong-pairs``: the seed leads to another order.
    * what `domain.seating.files.verify` finds in a draw.
    """

    code: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked: how many draws, lots and pairings; of these, `by_hand` lots that were cut in the hall, and
    `drafts` of which only the promise is known. `secret`: whether it was there, and seeds could be checked."""

    problems: tuple[Problem, ...]
    draws: int = 0
    lots: int = 0
    pairs: int = 0
    by_hand: int = 0
    drafts: int = 0
    secret: bool = False


def verify(data: object) -> Report:
    """Check a file as it was published. Never raises: what cannot be read is ``bad-format``."""
    try:
        return _verify(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Report((Problem("bad-format"),))


def _verify(data: object) -> Report:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        return Report((Problem("bad-format"),))
    problems: list[Problem] = []
    secret = _secret(data, problems)
    draws, drawn_lots, pairs = _list(data, "draws"), _list(data, "lots"), _list(data, "pairs")
    for each in draws:
        problems += _draw(each, secret)
    problems += _gaps(draws)
    for each in drawn_lots:
        problems += _lot(each, secret)
    for each in pairs:
        problems += _pairs(each, secret)
    return Report(
        tuple(problems),
        draws=len(draws),
        lots=len(drawn_lots),
        pairs=len(pairs),
        by_hand=sum(not each["seed"] for each in drawn_lots),
        drafts=sum(each["status"] == "draft" for each in draws),
        secret=secret is not None,
    )


def _secret(data: Mapping[str, object], problems: list[Problem]) -> bytes | None:
    text = data["secret"]
    if text is None:
        return None
    secret = bytes.fromhex(cast("str", text))
    if len(secret) != SECRET_BYTES or drawing.commitment(secret) != data["commitment"]:
        problems.append(Problem("wrong-secret"))
    return secret


def _draw(draw: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    where = f"{draw['phase']}.{draw['round']}/{draw['attempt']}"
    file = cast("Mapping[str, object]", draw["file"])
    method = _method(draw)
    if draw["status"] == "draft":
        return []
    problems = [Problem(code, where) for code in files.verify(file)]
    if secret is not None:
        seed = drawing.draw_seed(secret, method, *_numbers(draw, "phase", "round", "attempt"))
        if seed.hex() != file.get("seed"):
            problems.append(Problem("wrong-seed", where))
    return problems


def _gaps(draws: list[Mapping[str, object]]) -> list[Problem]:
    """Draws are counted in their seeds: each number up to the last must be there."""
    attempts: dict[tuple[int, int], set[int]] = defaultdict(set)
    for each in draws:
        phase, round, attempt = _numbers(each, "phase", "round", "attempt")
        attempts[phase, 0 if _method(each) in PLANNED else round].add(attempt)
    return [
        Problem("attempt-missing", f"{phase}.{round or 1}/{number}")
        for (phase, round), found in sorted(attempts.items())
        for number in range(1, max(found))
        if number not in found
    ]


def _lot(lot: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    label, seed = cast("str", lot["label"]), cast("str", lot["seed"])
    where = f"lot {label}"
    if not seed:
        return []
    problems = []
    if not ranking.is_true(Lot(_texts(lot, "order"), label, seed)):
        problems.append(Problem("wrong-lot", where))
    if secret is not None and drawing.lot_seed(secret, label).hex() != seed:
        problems.append(Problem("wrong-seed", where))
    return problems


def _pairs(pairs: Mapping[str, object], secret: bytes | None) -> list[Problem]:
    if secret is None:
        return []
    (attempt,) = _numbers(pairs, "attempt")
    order = Chance(drawing.pairs_seed(secret, attempt), "pairs").shuffled(sorted(_texts(pairs, "single")))
    wanted = [[min(a, b), max(a, b)] for a, b in zip(order[::2], order[1::2], strict=False)]
    return [] if wanted == pairs["pairs"] else [Problem("wrong-pairs", f"pairs {attempt}")]


def _method(draw: Mapping[str, object]) -> str:
    file = cast("Mapping[str, Mapping[str, object]]", draw["file"])
    return cast("str", file["inputs"]["method"])


def _list(data: Mapping[str, object], field: str) -> list[Mapping[str, object]]:
    value = data[field]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise TypeError(field)
    return value


def _texts(data: Mapping[str, object], field: str) -> tuple[str, ...]:
    value = data[field]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(field)
    return tuple(value)


def _numbers(data: Mapping[str, object], *names: str) -> tuple[int, ...]:
    found = tuple(data[name] for name in names)
    if any(isinstance(each, bool) or not isinstance(each, int) for each in found):
        raise TypeError(names)
    return cast("tuple[int, ...]", found)
