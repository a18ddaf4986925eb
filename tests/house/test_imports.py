"""What no import contract can say: which libraries pure code may know, and what no template may carry."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE = {
    "engine": (),
    "bots": ("domain.engine", "numba", "numpy"),  # the two only where they are installed (docs/adr/0023)
    "pace": (),
    "seating": ("rustworkx",),  # one library: matchings (docs/adr)
    "standings": ("domain.seating",),
    "tournament": ("domain.engine", "domain.seating", "domain.standings"),
    "rating": (),
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
            module = ".".join([*base, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names} if module == "domain" else {module}
    return names


@pytest.mark.parametrize("package", PURE)
def test_pure_code_imports_the_standard_library_and_what_is_named_here_only(package):
    files = sorted((ROOT / "domain" / package).rglob("*.py"))
    assert files, f"{package} is gone"
    own = ("domain.errors", "domain.schema", f"domain.{package}", *PURE[package])
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not any(name == known or name.startswith(f"{known}.") for known in own)
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
