"""The pronunciation of a word, derived from its spelling: `pronounced`. Pure: text in, IPA out.

The spellings of Sursilvan and of Walliser German tell nearly all of it; what they leave open is transcribed broadly,
and a word that the rules cannot read is left out rather than guessed (docs/pronunciation.md has the rules and their
sources).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final


@lru_cache(maxsize=4096)
def pronounced(text: str, language: str) -> str:
    """A broad IPA transcription of a word or phrase, without brackets; empty if the rules cannot read all of it."""
    read_word = _READERS.get(language)
    if read_word is None:
        return ""
    spoken = [read_word(each) for each in text.replace("…", " ").strip(" .!?").replace(",", " ").split()]
    return " ".join(spoken) if spoken and all(spoken) else ""


# Sursilvan from its spelling.
#
# Rules after the orthography section of the Alemannic Wikipedia’s “Surselvisch”, the Unicode CLDR’s transform from
# Sursilvan to IPA, and the phonology in “Romansh language” of the English Wikipedia (final devoicing, tg and gi). Only
# an accent tells whether an e is open or closed. Before a vowel, sch is [ʃ] in some words and [ʒ] in others: such words
# are left out unless they are in `_SCH`.

# A letter group, what must follow it, and its sound; the first that fits is used, so longer groups come first.
_CONSONANTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("tsch", "", "tʃ"),
    ("sch", "", "ʃ"),
    ("tg", "i(?=[aeou])", "tɕ"),
    ("tg", "", "tɕ"),
    ("gli", "[aeou]", "ʎ"),
    ("gl", "i|$|[^aeouàèéòù]", "ʎ"),
    ("gn", "", "ɲ"),
    ("gi", "[aeouàèéòù]", "dʑ"),
    ("gh", "", "ɡ"),
    ("g", "[eiéèì]", "dʑ"),
    ("gg", "", "ɡ"),
    ("g", "", "ɡ"),
    ("ch", "", "k"),
    ("cc", "", "k"),
    ("c", "[eiéèì]", "ts"),
    ("c", "", "k"),
    ("qu", "", "kw"),
    ("zz", "", "ts"),
    ("z", "", "ts"),
    ("ss", "", "s"),
    ("h", "", ""),
    ("x", "", "ks"),
    ("pp", "", "p"),
    ("tt", "", "t"),
    ("ll", "", "l"),
    ("mm", "", "m"),
    ("nn", "", "n"),
    ("rr", "", "r"),
    ("ff", "", "f"),
    ("bb", "", "b"),
    *((letter, "", letter) for letter in "bdfjklmnprtv"),
)
_VOWELS: Final = {
    "iau": "iau",
    "ieu": "iɛu",
    "uei": "uɛi",
    "ai": "ai",
    "au": "au",
    "ei": "ɛi",
    "eu": "ɛu",
    "ie": "iɛ",
    "ia": "ia",
    "iu": "iu",
    "uo": "uɔ",
    "ua": "ua",
    "ue": "uɛ",
    "a": "a",
    "e": "e",
    "i": "i",
    "o": "o",
    "u": "u",
    "à": "a",
    "è": "ɛ",
    "é": "e",
    "ì": "i",
    "ò": "ɔ",
    "ó": "o",
    "ù": "u",
}
_ACCENTED: Final = "àèéìòóù"
_VOICELESS: Final = {"b": "p", "d": "t", "ɡ": "k", "v": "f"}
_LAST: Final = frozenset({"cadi", "medel", "juhe"})
"""Names and an exclamation whose last syllable is stressed against the rule."""
_SCH: Final = {"sche": "ʃ", "grischun": "ʒ", "grischuna": "ʒ", "grischuns": "ʒ"}
_SOUNDED_H: Final = {"juhe": "juˈhe"}
_VOWEL: Final = "aeiouàèéìòóù"


def _sursilvan(text: str) -> str:
    """The IPA of one word, with its stress if it has several syllables; empty if the spelling is not Sursilvan."""
    spelled = text.lower().replace("’", "'")
    if spelled in _SOUNDED_H:
        return _SOUNDED_H[spelled]
    if not re.fullmatch(f"[a-z{_ACCENTED}]+(?:'[a-z{_ACCENTED}]+)?", spelled) or re.search("[wy]", spelled):
        return ""
    before, _apostrophe, bare = spelled.rpartition("'")
    elided, sounds = _elided(before), _sounds(bare)
    doubtful = re.search(f"(?<!t)sch[{_VOWEL}]", bare)
    if elided is None or sounds is None or (doubtful and bare not in _SCH):
        return ""
    if doubtful:
        sounds = [(group, _SCH[bare] if group == "sch" else sound) for group, sound in sounds]
    stressed = _stressed(bare, sounds)
    return elided + _joined(sounds, stressed)


def _elided(spelled: str) -> str | None:
    """The IPA of what stands before an apostrophe, which has no stress; None if a letter has no sound."""
    sounds = _letters(spelled)
    return None if sounds is None else "".join(sound for _group, sound in sounds)


def _sounds(spelled: str) -> list[tuple[str, str]] | None:
    """Each letter group of a word with its sound, the last one voiceless; None if a letter has none."""
    sounds = _letters(spelled)
    if sounds is None:
        return None
    last_group, last_sound = sounds[-1]
    if last_sound in _VOICELESS and len(sounds) > 1:
        sounds[-1] = (last_group, _VOICELESS[last_sound])
    return sounds


def _letters(spelled: str) -> list[tuple[str, str]] | None:
    """Each letter group with its sound; None if a letter has none."""
    sounds: list[tuple[str, str]] = []
    at = 0
    while at < len(spelled):
        group, sound = _next(spelled, at)
        if not group:
            return None
        sounds.append((group, sound))
        at += len(group)
    return sounds


def _next(spelled: str, at: int) -> tuple[str, str]:
    rest = spelled[at:]
    if re.match("iuns?$", rest) and at:  # -ziun, uniun
        return "i", "j"
    if rest in ("ia", "ias") and at:  # giustia: two syllables
        return "i", "i"
    vowels = next((group for group in _VOWELS if rest.startswith(group)), "")
    if vowels:
        return vowels, _VOWELS[vowels]
    if rest[0] == "s" and not rest.startswith(("ss", "sch")):
        return "s", _s(spelled, at)
    for group, follows, sound in _CONSONANTS:
        if rest.startswith(group) and (not follows or re.match(follows, rest[len(group) :])):
            return group, sound
    return "", ""


def _s(spelled: str, at: int) -> str:
    """s is [ʃ] or [ʒ] before a consonant, [z] between vowels, and [s] elsewhere."""
    before, after = spelled[at - 1 : at], spelled[at + 1 : at + 2]
    if after and after in "cptqfmn":
        return "ʃ"
    if after and after in "bdgv":
        return "ʒ"
    return "z" if before and before in _VOWEL and after and after in _VOWEL else "s"


def _is_vowel(group: str) -> bool:
    return group in _VOWELS


def _stressed(spelled: str, sounds: list[tuple[str, str]]) -> int:
    """The index of the stressed vowel group.

    It is the accented one, or else the last if a consonant follows or it is a diphthong, or else the last but one.
    """
    vowels = [number for number, (group, sound) in enumerate(sounds) if _is_vowel(group) and sound != "j"]
    accented = [number for number in vowels if any(letter in _ACCENTED for letter in sounds[number][0])]
    if accented or len(vowels) < 2:
        return (accented or vowels or [-1])[-1]
    last = sounds[vowels[-1]][0]
    light = re.search(f"[^{_VOWEL}]e[lnr]$", spelled)
    open_end = re.search(f"[{_VOWEL}]s?$", spelled) and len(last) == 1
    return vowels[-2] if (light or open_end) and spelled not in _LAST else vowels[-1]


def _joined(sounds: list[tuple[str, str]], stressed: int) -> str:
    vowels = [number for number, (group, sound) in enumerate(sounds) if _is_vowel(group) and sound != "j"]
    spoken = [sound for _group, sound in sounds]
    if stressed >= 0 and spoken[stressed] == "o":
        spoken[stressed] = "ɔ"
    if len(vowels) < 2:
        return "".join(spoken)
    begin = _onset(sounds, stressed, vowels)
    return "".join(spoken[:begin]) + "ˈ" + "".join(spoken[begin:])


_CLUSTERS: Final = re.compile(r"(?:s|sch)?(?:[pbfv][lr]|[tdckg]r|[cgk]l|tg|[pt])|(?:s|sch)[cpt]|[^jw]j")


def _onset(sounds: list[tuple[str, str]], stressed: int, vowels: list[int]) -> int:
    """Where the stressed syllable begins: one consonant before its vowel, or a cluster that can begin a word."""
    earlier = [number for number in vowels if number < stressed]
    if not earlier:
        return 0
    first = earlier[-1] + 1
    between = sounds[first:stressed]
    for skip in range(len(between)):
        group = "".join("j" if sound == "j" else letters for letters, sound in between[skip:])
        if len(between) - skip == 1 or _CLUSTERS.fullmatch(group):
            return first + skip
    return stressed


# Walliser German from a phonetic spelling.
#
# Rules after the “Anleitung zur Schreibung der Walliserdialekte” (walliserdialekt.ch) and Dieth’s guide, whose
# principles it shares: vowels and consonants written twice are long, e and ä are two sounds, ie is a diphthong, sp and
# st at the start of a word are pronounced schp and scht. Stress is not marked, since the spelling does not show it.
# Words in standard spelling (with an h that lengthens, v, eu, an apostrophe) are left out: it does not show how they
# sound.

_SOUNDS: Final = {
    "tsch": "tʃ",
    "schsch": "ʃː",
    "sch": "ʃ",
    "chch": "xː",
    "ch": "x",
    "ck": "kː",
    "tz": "ts",
    "ng": "ŋ",
    "gg": "k",
    "qu": "kʋ",
    # diphthongs
    "öüw": "øyʋ",
    "ouww": "ouʋː",
    "ouw": "ouʋ",
    "öü": "øy",
    "öi": "øi",
    "üo": "yo",
    "üö": "yø",
    "üe": "ye",
    "uo": "uo",
    "ue": "ue",
    "ie": "ie",
    "ei": "ei",
    "ou": "ou",
    "au": "au",
    "ai": "ai",
    # long vowels
    "aa": "aː",
    "ee": "eː",
    "ii": "iː",
    "oo": "oː",
    "uu": "uː",
    "ää": "æː",
    "öö": "øː",
    "üü": "yː",
    # long consonants
    **{letter * 2: f"{letter}ː" for letter in "bdflmnprst"},
    "ww": "ʋː",
    # single letters
    "ä": "æ",
    "ö": "ø",
    "ü": "y",
    "w": "ʋ",
    "z": "ts",
    "g": "ɡ",
    **{letter: letter for letter in "abdefhijklmnoprstu"},
}
_GROUPS: Final = re.compile("|".join(sorted(map(re.escape, _SOUNDS), key=len, reverse=True)))
_STANDARD: Final = re.compile(r"[aeiouäöü]h|eu|äu|[vxyqß]|c(?![hk])")


def _walliser(text: str) -> str:
    """The IPA of one word, without its stress; empty if the spelling is not phonetic."""
    spelled = text.lower()
    if not spelled.isalpha() or _STANDARD.search(spelled):
        return ""
    spelled = re.sub(r"^s(?=[pt])", "sch", spelled)
    groups = _GROUPS.findall(spelled)
    return "".join(_SOUNDS[group] for group in groups) if "".join(groups) == spelled else ""


_READERS: Final = {"rm-sursilv": _sursilvan, "gsw": _walliser}
