"""What no import contract can say about the rooms of the house."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE = {
    "games/engine": ("games.engine",),
    "games/bots": ("games.engine", "games.bots"),
    "games/pace": ("games.pace",),
    "clubs/seating": ("clubs.seating", "rustworkx"),  # one library: matchings (docs/adr)
    "clubs/ratings": ("clubs.ratings",),
}


def imported(path: Path) -> set[str]:
    """The modules a file names in its imports, relative ones by their full name."""
    names: set[str] = set()
    package = path.relative_to(ROOT).parent.as_posix().replace("/", ".").split(".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            names.add(".".join([*base, *([node.module] if node.module else [])]))
    return names


# Who may hold what only some may know. Everybody else gets `games.sight`.
SECRETS = {"Hand", "Deal", "Match", "hand", "shuffle", "packs", "shelf"}
KEEPERS: tuple[str, ...] = (
    "games/agreements.py",
    "games/ahead.py",
    # Deals that several tables play: they are laid, dealt and opened here.
    "games/boards.py",
    "games/directing.py",
    "games/engine/",
    # Records that somebody brought along: their cards lie open, and none is of a hand that is played here.
    "games/imported/",
    "games/looking_back.py",
    "games/management/commands/replay.py",
    "games/migrations/",
    "games/models.py",
    "games/opened.py",
    "games/packs.py",
    "games/play.py",
    # Deals whose pack does not lie yet: there is no card in them.
    "games/promises.py",
    "games/rebuilding.py",
    "games/shelf.py",
    "games/showing.py",
    "games/sight.py",
    "games/steps.py",
    "games/taking_back.py",
    "games/timing.py",
    "games/undoing.py",
    "games/unsealing.py",
    # Examples of the encyclopedia: hands composed for an article, never those of a game that is played.
    "rules/examples/",
)


def names_from_games(path: Path) -> set[str]:
    """The last parts of what a file imports from games: of modules and of names out of modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[-1] for alias in node.names if alias.name.startswith("games.")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "games":
            module = (node.module or "").split(".")[-1]
            # What has happened at a table is told by games.engine.hand too; only the hand itself is a secret.
            names |= {alias.name for alias in node.names} | {module} - {"hand"}
    return names


def test_only_the_door_and_the_view_handle_hands_and_packs():
    takers = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in ("accounts", "clubs", "games", "notices", "rules", "troccas_site")
        for path in sorted((ROOT / room).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(KEEPERS)
        for name in names_from_games(path) & SECRETS
    }
    assert not takers


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_imports_the_standard_library_and_itself_only(room):
    files = sorted((ROOT / room).rglob("*.py"))
    assert files, f"{room} is gone"
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not any(name == own or name.startswith(f"{own}.") for own in PURE[room])
    }
    assert not strangers


def test_no_page_carries_a_script_or_a_style_of_its_own():
    """The policy would refuse them; better said here than by a page that does nothing."""
    offending = [
        f"{path.relative_to(ROOT)}: {needle}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for needle in ("<style", " style=", " onclick=", " onload=", " onsubmit=", "<script>", "javascript:")
        if needle in path.read_text(encoding="utf-8")
    ]
    assert not offending
