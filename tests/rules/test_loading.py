"""The files of the program become entries; what people wrote is never overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules import content_files, selectors, services
from rules.models import Article, Catalogue, Concept, Entry, Place, Redirect, Revision, Source
from tests.rules import door_kit
from tests.rules.door_kit import entry, published

FILES = {
    "cards.toml": """
        [suits.cups]
        code = "C"
        en = [{ text = "cups" }]
        de = [{ text = "Becher", gender = "p", source = "lt" }]
        gsw = [{ text = "Goppe", source = "pagat", note = "so printed" }]
        [fool]
        title = "Le Mat"
        en = [{ text = "the Fool", bare = "Fool" }]
    """,
    "words.toml": """
        [words.scart]
        own = "rm-sursilv"
        meaning = { en = "three cards laid away" }
        en = [{ text = "discard" }]
        rm-sursilv = [{ text = "scart", source = "pagat" }, { text = "scartada", draft = true }]
    """,
    "phrases.toml": """
        [themes.trumps]
        en = "trumps"
        [de.dar-da-freid]
        literal = "kalt spielen"
        tells = "keine Trümpfe mehr"
    """,
    "sources.toml": """
        [pagat]
        title = "Troccas"
        url = "https://www.pagat.com/"
        seen = 2026-11-21
        [lt]
        title = "Lebendige Traditionen"
    """,
    "places.toml": """
        [breil]
        names = { "" = "Breil" }
        sort = "village"
        parent = "surselva"
        [surselva]
        names = { "" = "Surselva" }
        sort = "region"
        [medel]
        names = { "" = "Medel" }
        sort = "village"
        [tujetsch]
        names = { "" = "Tujetsch" }
        sort = "valley"
    """,
    "terms/discard.toml": """
        ["words.scart"]
        theme = "discard"
        related = ["words.scartist"]
        [["words.scart".terms]]
        lang = "rm-sursilv"
        text = "scart"
        gender = "m"
        sources = ["pagat: The Scart"]
        [["words.scart".terms]]
        lang = "fr"
        text = "écart"
        [words-without-dot]
        theme = "people"
        ["words.scartist"]
        theme = "people"
        terms = [{ lang = "en", text = "dealer", place = "breil" }]
    """,
    "articles/en/deal.md": """+++
title = "The deal"
section = "table"
+++

## Deal {#deal}

Five each.
""",
    "articles/de/deal.md": """+++
title = "Das Geben"
section = "table"
+++
Je fünf.
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Content files of our own."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('[words-without-dot]\n        theme = "people"\n', ""), encoding="utf-8")
    return tmp_path


def rewrite(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# --- Reading the files ------------------------------------------------------------------------------------------------


def test_the_programs_own_files_have_no_broken_entry() -> None:
    assert [str(flaw) for flaw in content_files.read_files().flaws if flaw.fatal] == []


def test_a_concept_is_joined_from_all_its_files(folder: Path) -> None:
    files = content_files.read_files(folder)
    assert files.flaws == []
    documents = {filed.key: filed.document for filed in files.entries}
    scart = documents["words.scart"]
    assert (scart["theme"], scart["own"], scart["games"]) == ("discard", "rm-sursilv", ["troccas"])
    assert scart["terms"] == [
        {"lang": "en", "text": "discard", "status": "admitted", "pos": "noun"},
        {
            "lang": "rm-sursilv",
            "text": "scart",
            "status": "preferred",
            "gender": "m",
            "sources": ["pagat: The Scart"],
            "pos": "noun",
        },
        {"lang": "rm-sursilv", "text": "scartada", "status": "proposed", "pos": "noun"},
        {"lang": "fr", "text": "écart", "status": "admitted", "pos": "noun"},
    ]
    assert documents["fool"]["terms"][0]["forms"] == {"bare": "Fool"}
    assert documents["suits.cups"]["terms"][2]["note"] == {"en": "so printed"}
    assert documents["pagat"]["seen"] == "2026-11-21"


def test_phrases_come_from_the_engine_with_their_translations(folder: Path) -> None:
    (phrase,) = [filed for filed in content_files.read_files(folder).entries if filed.key == "phrases.dar-da-freid"]
    document = phrase.document
    assert (document["sort"], document["strength"], document["talk_theme"]) == ("phrase", 0, "trumps")
    assert document["tells"] == {"en": "no more trumps", "de": "keine Trümpfe mehr"}
    assert document["terms"][0]["sources"] == ["pagat: Tschintschar"]


@pytest.mark.parametrize(
    ("name", "old", "new", "where"),
    [
        ("sources.toml", 'title = "Troccas"', "title = ", "sources.toml"),
        ("sources.toml", "https://www.pagat.com/", "javascript:alert(1)", "pagat.url"),
        ("terms/discard.toml", 'theme = "people"', 'theme = "fishing"', "words.scartist.theme"),
        ("terms/discard.toml", '["words.scart"]', 'words = 1\n["words.scart"]', "words"),
        ("articles/en/deal.md", "+++\ntitle", "title", "articles/en/deal.md"),
        ("articles/en/deal.md", 'section = "table"', "section = table", "articles/en/deal.md"),
        ("articles/en/deal.md", 'section = "table"', "", "deal.section"),
        ("terms/discard.toml", "pagat: The Scart", "hearsay", "words.scart.terms.1.sources.1"),
        ("terms/discard.toml", "words.scartist\"]\n        [[", "words.gone\"]\n        [[", "words.scart.related.0"),
        ("places.toml", 'parent = "surselva"', 'parent = "atlantis"', "breil.parent"),
    ],
)  # fmt: skip
def test_a_broken_file_is_reported_and_the_others_are_read(
    folder: Path, name: str, old: str, new: str, where: str
) -> None:
    rewrite(folder, name, old, new)
    files = content_files.read_files(folder)
    assert any(where in str(flaw) for flaw in files.flaws), files.flaws
    assert "suits.cups" in {filed.key for filed in files.entries}


def test_a_concept_in_two_files_is_reported(folder: Path) -> None:
    (folder / "terms" / "more.toml").write_text('["words.scart"]\ntheme = "play"\n', encoding="utf-8")
    assert "stands in terms/discard.toml too" in str(content_files.read_files(folder).flaws[0])


# --- Publishing them --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_everything_is_published_once(folder: Path) -> None:
    done = content_files.load(folder)
    assert (done.updated, done.unchanged, done.flaws) == (0, 0, [])
    assert done.added == Entry.objects.count() == Revision.objects.count()
    assert Place.objects.get(key="breil").parent == Place.objects.get(key="surselva")
    assert {model.objects.count() for model in (Source, Article)} == {2}
    concept = Concept.objects.get(slug="scart")
    assert (concept.troccas, concept.troggu, concept.terms.count()) == (True, False, 4)
    assert Concept.objects.get(slug="scartist").terms.get().place.key == "breil"
    assert published(entry("article", "deal", "de")).follows == published(entry("article", "deal", "en"))


@pytest.mark.django_db
def test_loading_again_does_nothing(folder: Path, django_assert_num_queries) -> None:
    content_files.load(folder)
    before = Revision.objects.count()
    with django_assert_num_queries(1):
        assert content_files.load(folder).current
    again = content_files.load(folder, again=True)
    assert (again.added, again.updated) == (0, 0)
    assert Revision.objects.count() == before


@pytest.mark.django_db
def test_a_changed_file_updates_its_entry_and_no_other(folder: Path) -> None:
    content_files.load(folder)
    rewrite(folder, "articles/en/deal.md", "Five each.", "Five each, five times.")
    done = content_files.load(folder)
    assert (done.added, done.updated, done.kept) == (0, 1, [])
    revision = published(entry("article", "deal", "en"))
    assert (revision.number, revision.author) == (2, None)
    assert "five times" in revision.document["text"]
    # The translation's file still says the first one.
    assert services.staleness(entry("article", "deal", "de")).changes == 1


@pytest.mark.django_db
def test_a_file_may_give_its_entry_another_address_unless_an_administrator_did(folder: Path) -> None:
    content_files.load(folder)
    rewrite(folder, "terms/discard.toml", 'theme = "discard"', 'theme = "discard"\nslug = "laid-away"')
    content_files.load(folder)
    assert Concept.objects.get(key="words.scart").slug == "laid-away"
    assert Redirect.objects.get(slug="scart").key == "words.scart"
    services.rename(entry("concept", "words.scart"), "scart", by=door_kit.administrator())
    rewrite(folder, "terms/discard.toml", "laid-away", "put-away")
    content_files.load(folder)
    assert Concept.objects.get(key="words.scart").slug == "scart"


@pytest.mark.django_db
def test_a_persons_edit_is_never_overwritten(folder: Path) -> None:
    content_files.load(folder)
    row = entry("article", "deal", "en")
    by = door_kit.editor()
    mine = services.publish(row, {**published(row).document, "title": "Mine"}, by=by, base=row.published)
    rewrite(folder, "articles/en/deal.md", "Five each.", "Six each.")
    done = content_files.load(folder)
    assert (done.updated, [(kept.entry.key, kept.editor) for kept in done.kept]) == (0, [("deal", "gion")])
    assert published(row) == mine
    # Somebody brings the file's words in by hand: nothing is left to report.
    services.publish(
        row,
        {**mine.document, "title": "The deal", "text": mine.document["text"].replace("Five", "Six")},
        by=by,
        base=mine,
    )
    assert content_files.load(folder, again=True).kept == []


@pytest.mark.django_db
def test_an_edit_is_kept_without_a_word_while_its_file_stays_the_same(folder: Path) -> None:
    content_files.load(folder)
    row = entry("article", "deal", "en")
    services.publish(row, {**published(row).document, "title": "Mine"}, by=door_kit.editor(), base=row.published)
    done = content_files.load(folder, again=True)
    assert (done.updated, done.kept) == (0, [])


@pytest.mark.django_db
def test_what_is_gone_from_the_files_stays(folder: Path) -> None:
    content_files.load(folder)
    (folder / "articles" / "de" / "deal.md").unlink()
    content_files.load(folder)
    assert entry("article", "deal", "de").published is not None


@pytest.mark.django_db
def test_a_file_fills_an_entry_that_was_only_suggested(folder: Path) -> None:
    new = services.new_entry("concept", "words.scartist")
    terms = [{"lang": "en", "text": "suggested"}]
    services.suggest(new, {"theme": "people", "terms": terms}, by=door_kit.member(), base=None)
    content_files.load(folder)
    assert published(new).document["terms"][0]["text"] == "dealer"


@pytest.mark.django_db
def test_an_address_that_is_taken_is_reported_and_the_rest_is_loaded(folder: Path) -> None:
    taken = services.new_entry("concept", "words.other", slug="scart")
    done = content_files.load(folder)
    assert any("the address scart belongs to another" in str(flaw) for flaw in done.flaws)
    assert not Concept.objects.filter(key="words.scart").exists()
    assert Concept.objects.filter(key="suits.cups").exists()
    assert taken.published is None


@pytest.mark.django_db
def test_after_a_broken_file_the_next_load_looks_again(folder: Path) -> None:
    rewrite(folder, "sources.toml", 'title = "Troccas"', "title = 7.5")
    assert [flaw.where for flaw in content_files.load(folder).flaws if flaw.fatal] == ["pagat.title"]
    assert Catalogue.objects.get().files == ""
    assert not content_files.load(folder).current


# --- The command ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_command_loads_all_the_programs_files_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("content")
    first = capsys.readouterr().out
    assert f"{Entry.objects.count()} added, 0 updated" in first
    assert Entry.objects.filter(published=None).count() == 0
    call_command("content", verbosity=2)
    assert "No file has changed" in capsys.readouterr().out
    call_command("content", "--rebuild")
    assert "entries rebuilt" in capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.parametrize("arguments", [[], ["--again"], ["--check"]])
def test_a_folder_that_holds_no_content_is_refused_and_takes_no_sources_away(
    folder: Path, tmp_path: Path, arguments: list[str]
) -> None:
    call_command("content", folder=folder)
    before = list(Entry.objects.order_by("pk").values_list("key", "published"))
    for wrong in (tmp_path / "nowhere", folder / "articles", folder / "sources.toml"):
        with pytest.raises(CommandError, match="holds no content"):
            call_command("content", *arguments, folder=wrong)
    assert list(Entry.objects.order_by("pk").values_list("key", "published")) == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "old", "new", "where"),
    [
        ("sources.toml", 'title = "Troccas"', "title = ", "sources.toml"),
        ("articles/en/deal.md", "Five each.", "Five each [@hearsay: p. 3].", "articles/en/deal.md: text, line"),
        ("articles/en/deal.md", "Five each.", "::: example x\nkind = 3\n:::", "articles/en/deal.md: text, line"),
    ],
)
def test_a_check_names_what_is_to_be_mended_and_publishes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, where: str
) -> None:
    call_command("content", "--check", folder=folder)
    rewrite(folder, name, old, new)
    with pytest.raises(CommandError, match="to mend"):
        call_command("content", "--check", folder=folder)
    assert where in capsys.readouterr().err
    assert not Entry.objects.exists()


# --- Entries that are part of others now ------------------------------------------------------------------------------


def _merging_the_discard(folder: Path) -> None:
    """The scart's entry goes into the one of the Fool, as merged.toml says."""
    (folder / "words.toml").write_text("[words]\n", encoding="utf-8")
    for path in (folder / "terms").glob("*.toml"):
        path.unlink()
    (folder / "merged.toml").write_text('["words.scart"]\ninto = "fool"\nslug = "scart"\n', encoding="utf-8")


@pytest.mark.django_db
def test_an_entry_that_is_merged_is_gone_and_its_address_leads_on(folder: Path) -> None:
    content_files.load(folder)
    assert Concept.objects.filter(key="words.scart").exists()
    _merging_the_discard(folder)
    content_files.load(folder)
    assert not Concept.objects.filter(key="words.scart").exists()
    assert selectors.moved("concept", "scart") == "fool"
    assert Entry.objects.get(key="words.scart").published is None


@pytest.mark.django_db
def test_an_entry_that_somebody_edited_is_kept_though_the_files_merge_it(folder: Path) -> None:
    content_files.load(folder)
    row = Entry.objects.get(key="words.scart")
    mine = {**published(row).document, "note": {"en": "mine"}}
    services.publish(row, mine, by=door_kit.editor(), base=row.published)
    _merging_the_discard(folder)
    done = content_files.load(folder)
    assert [kept.entry.key for kept in done.kept] == ["words.scart"]
    assert Concept.objects.filter(key="words.scart").exists()
