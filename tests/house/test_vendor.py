"""The parts of other projects are the ones we fetched."""

from tools import vendor


def test_every_vendored_file_is_listed_and_unchanged():
    assert vendor.differences() == []


def test_the_table_names_every_part_and_its_licence():
    written = (vendor.VENDOR / "VENDOR.md").read_text(encoding="utf-8")
    assert written == vendor.table()


def test_a_changed_a_missing_and_an_unlisted_file_are_noticed(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text("changed")
    (tmp_path / "new.js").write_text("new")
    rows = "\n".join(f"| `{name}` | x | MIT | `{'0' * 64}` |" for name in ("a.js", "gone.js"))
    (tmp_path / "VENDOR.md").write_text(rows)
    monkeypatch.setattr(vendor, "VENDOR", tmp_path)
    assert vendor.differences() == ["not kept: gone.js", "not listed: new.js", "changed: a.js"]
