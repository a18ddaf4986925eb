"""How a word sounds, worked out from how it is spelled: `pronounced`. Pure: text in, IPA out.

The spellings of Sursilvan and of Walliser German say nearly all of it; what they leave open is written broadly, and a word
that the rules cannot read is left out rather than guessed (docs/pronunciation.md has the rules and their sources).
"""

from __future__ import annotations

from functools import lru_cache

from rules.pronouncing import sursilvan, walliser

_READ = {"rm-sursilv": sursilvan.word, "gsw": walliser.word}


@lru_cache(maxsize=4096)
def pronounced(text: str, language: str) -> str:
    """The IPA of a word or phrase in this language, broadly, without brackets; empty where no rule reads all of it."""
    read = _READ.get(language)
    if read is None:
        return ""
    spoken = [read(each) for each in text.replace("…", " ").strip(" .!?").replace(",", " ").split()]
    return " ".join(spoken) if spoken and all(spoken) else ""
