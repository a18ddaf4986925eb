"""Pronunciation from the spelling: known words, rule by rule, and what is left out."""

import tomllib
from pathlib import Path

import pytest

from rules.pronouncing import pronounced


@pytest.mark.parametrize(
    ("word", "ipa"),
    [
        ("retg", "retɕ"),
        ("buob", "buɔp"),
        ("mund", "munt"),
        ("giug", "dʑuk"),
        ("il giavel", "il ˈdʑavel"),
        ("regina", "reˈdʑina"),
        ("cavagl", "kaˈvaʎ"),
        ("famiglia", "faˈmiʎa"),
        ("la gaglina", "la ɡaˈʎina"),
        ("il naucli", "il ˈnaukli"),
        ("Sogn", "sɔɲ"),
        ("tierz", "tiɛrts"),
        ("rosas", "ˈrɔzas"),
        ("scart", "ʃkart"),
        ("la casa", "la ˈkaza"),
        ("vacca", "ˈvaka"),
        ("aunghel", "ˈaunɡel"),
        ("tschintschar", "tʃinˈtʃar"),
        ("da Mustér", "da muˈʃter"),
        ("in pèr", "in pɛr"),
        ("inscripziun", "inʃkripˈtsjun"),
        ("la giustia", "la dʑuˈʃtia"),
        ("honors", "oˈnɔrs"),
        ("da Medel", "da meˈdel"),
        ("l'imperatura", "limperaˈtura"),
        ("ch'el", "kel"),
        ("quest'jamna", "kweʃtˈjamna"),
        ("dai vinavon!", "dai vinaˈvɔn"),
        ("buob, sche", "buɔp ʃe"),
        ("grischuna", "ɡriˈʒuna"),
    ],
)
def test_sursilvan(word, ipa):
    assert pronounced(word, "rm-sursilv") == ipa


@pytest.mark.parametrize(
    ("word", "ipa"),
    [
        ("Schwäärti", "ʃʋæːrti"),
        ("Schtächnä", "ʃtæxnæ"),
        ("Stäcke", "ʃtækːe"),
        ("Büob", "byob"),
        ("Frouwwi", "frouʋːi"),
        ("Bättler", "bætːler"),
        ("Troggu", "troku"),
        ("Misäär", "misæːr"),
        ("Spiil", "ʃpiːl"),
        ("Brief", "brief"),
    ],
)
def test_walliser(word, ipa):
    assert pronounced(word, "gsw") == ipa


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("giugadur*a", "rm-sursilv"),
        ("mischedar", "rm-sursilv"),  # ʃ or ʒ: the spelling does not tell
        ("whist", "rm-sursilv"),
        ("ich gehe", "gsw"),
        ("ich nehm's", "gsw"),
        ("Verliere", "gsw"),
        ("bagatt", "fr"),
        ("", "gsw"),
        ("…", "rm-sursilv"),
    ],
)
def test_what_no_rule_reads_is_left_out(text, language):
    assert pronounced(text, language) == ""


def test_nearly_every_word_of_the_players_is_read():
    content = Path(__file__).resolve().parents[2] / "rules" / "content" / "terms"
    words = {
        (term["text"], term["lang"])
        for path in content.glob("*.toml")
        for concept in tomllib.loads(path.read_text(encoding="utf-8")).values()
        if isinstance(concept, dict)
        for term in concept.get("terms", ())
        if term["lang"] in ("rm-sursilv", "gsw")
    }
    read = [word for word in words if pronounced(*word)]
    assert len(words) > 50
    assert len(read) > 0.9 * len(words)


@pytest.mark.parametrize("language", ["rm-sursilv", "gsw"])
def test_any_text_is_answered(language):
    for text in ("'", "l'", "''", "s", "gl", "iu", "ia", "tg", "sch", "\0", "é", "Ⅷ", "ʼ" * 50, "a" * 5000):
        assert isinstance(pronounced(text, language), str)
