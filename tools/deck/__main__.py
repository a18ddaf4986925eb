"""Write static/deck/deck.svg: ``python -m tools.deck`` from the root of the repository."""

from __future__ import annotations

from pathlib import Path

from tools.deck.compose import compose

TARGET = Path(__file__).resolve().parents[2] / "static" / "deck" / "deck.svg"


def main() -> None:
    """Write the sprite and say how large it is."""
    text = compose()
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET.name}: {len(text.encode()) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
