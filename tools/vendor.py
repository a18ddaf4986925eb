#!/usr/bin/env python
"""The parts of other projects that pages load: fetched with npm, checked, and kept in static/vendor.

    python tools/vendor.py fetch   fetch all of them again at the versions below and rewrite VENDOR.md (needs npm)
    python tools/vendor.py check   compare the kept files with VENDOR.md; exit 1 if one differs

To take a new version: change it below, run fetch, and write the sha512 it prints here after comparing it with
a source you trust.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "static" / "vendor"
ROW = re.compile(r"^\| `(?P<file>[^`]+)` \| .* \| `(?P<sha256>[0-9a-f]{64})` \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A package, its licence, and which of its files we keep under which names."""

    package: str
    version: str
    sha512: str
    licence: str
    home: str
    files: dict[str, str]


def _font(name: str, version: str, sha512: str, *styles: str) -> Part:
    """A variable font's Latin files, which hold every letter of our languages."""
    files = {
        f"files/{name}-{script}-wght-{style}.woff2": f"fonts/{name}-{script}-wght-{style}.woff2"
        for style in styles
        for script in ("latin", "latin-ext")
    }
    return Part(
        f"@fontsource-variable/{name}",
        version,
        sha512,
        "OFL-1.1",
        f"https://fontsource.org/fonts/{name}",
        {**files, "LICENSE": f"fonts/{name}-LICENSE.txt"},
    )


PARTS = (
    Part(
        "htmx.org",
        "2.0.11",
        "4e1c7f5ada5e390a92aea042c3f0357301891a0e14ad56b7fac5b41a6accde9e202603bcf5e707e2ab5b9f2cc30d616f053aa39c83028042d336deb7e9db5a98",
        "0BSD",
        "https://htmx.org",
        {"dist/htmx.min.js": "htmx/htmx.min.js", "LICENSE": "htmx/LICENSE.txt"},
    ),
    Part(
        "idiomorph",
        "0.8.0",
        "478ec904bfba8c70d0bdc9dba69214b575dcc62e61ebec2e0841195e7461525b6c8333c52b34e12f93ee1e9a4ff72a49bb2fbb59ac1c6354ec4810ff8906cc87",
        "0BSD",
        "https://github.com/bigskysoftware/idiomorph",
        {"dist/idiomorph.min.js": "idiomorph/idiomorph.min.js", "LICENSE": "idiomorph/LICENSE.txt"},
    ),
    _font(
        "source-serif-4",
        "5.3.1",
        "e11b5acb6d920b894cbf0d75afffbd93100d07a3f73345fcb3536e7410b6bf4275294db2dc370ca0d713de506867f0aa2e2af37fe4ad94ee949498a5cabbda52",
        "normal",
        "italic",
    ),
    _font(
        "source-sans-3",
        "5.3.0",
        "7698b419993b1107b6b58a60e90d05c743a65209ee1aefb4ac73e0b57aad2a182562626e3fb8d9d7632ed6e37e35f45a2516351269fc0102445b39a8678c1af6",
        "normal",
    ),
)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetch() -> int:
    """Fetch every part; exit status 1, and nothing written for it, if a package is not the one pinned."""
    for part in PARTS:
        with tempfile.TemporaryDirectory() as folder:
            packed = subprocess.run(
                ["npm", "pack", "--json", "--pack-destination", folder, f"{part.package}@{part.version}"],
                check=True,
                capture_output=True,
                text=True,
            )
            report = json.loads(packed.stdout)[0]
            archive = Path(folder) / report["filename"].replace("@", "").replace("/", "-")
            digest = hashlib.sha512(archive.read_bytes()).hexdigest()
            if digest != part.sha512:
                print(f"{part.package} {part.version}: sha512 is {digest}, not the one pinned", file=sys.stderr)
                return 1
            with tarfile.open(archive) as tar:
                for inside, name in part.files.items():
                    member = tar.extractfile(f"package/{inside}")
                    if member is None:
                        raise FileNotFoundError(f"{part.package} {part.version} has no {inside}")
                    target = VENDOR / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(member.read())
    (VENDOR / "VENDOR.md").write_text(table(), encoding="utf-8")
    return 0


def table() -> str:
    """VENDOR.md for the files as they lie there."""
    rows = [
        f"| `{name}` | [{part.package}]({part.home}) {part.version} | {part.licence} | `{sha256(VENDOR / name)}` |"
        for part in PARTS
        for name in part.files.values()
    ]
    return "\n".join(
        [
            "# Parts of other projects",
            "",
            "Fetched and checked by `tools/vendor.py`, never edited. Each licence lies beside its files.",
            "The fonts are variable: Source Serif 4 from weight 200 to 900, Source Sans 3 from 200 to 900.",
            "",
            "| File | Package | Licence | SHA-256 |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def differences() -> list[str]:
    """What does not agree between VENDOR.md and the files: changed, missing and unlisted ones."""
    listed = {row["file"]: row["sha256"] for row in ROW.finditer((VENDOR / "VENDOR.md").read_text(encoding="utf-8"))}
    kept = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()} - {"VENDOR.md"}
    return [
        *(f"not kept: {name}" for name in sorted(listed.keys() - kept)),
        *(f"not listed: {name}" for name in sorted(kept - listed.keys())),
        *(f"changed: {name}" for name in sorted(listed.keys() & kept) if sha256(VENDOR / name) != listed[name]),
    ]


def main() -> int:
    """Run one command; returns its exit status."""
    parser = argparse.ArgumentParser(description="Parts of other projects that pages load.")
    parser.add_argument("command", choices=("fetch", "check"))
    if parser.parse_args().command == "fetch":
        return fetch()
    found = differences()
    print("\n".join(found) or "vendored files: as listed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
