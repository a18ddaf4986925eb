"""Static files under names that carry their content, so that browsers may keep them for ever."""

import re
from collections.abc import Iterator
from typing import Any, Final

from django.core.files.base import ContentFile
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT: Final = re.compile(r'^@import url\("([\w-]+\.css)"\);\n', re.MULTILINE)
_REMARK: Final = re.compile(r"\s*/\*.*?\*/|(?<=\n)\s+", re.DOTALL)
"""Also what lines are indented by. More of the space in a style sheet may mean something."""


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports between our own JavaScript modules to the hashed names, puts the style sheets that one imports from
    its own folder into it, so that a page asks for one file and not for ten, and leaves out what is said to who reads the source."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """As Django's, over files of which some have been written anew. Raises KeyError for a style sheet that is not there."""

        def text_of(name: str) -> str:
            source, path = paths[name]
            with source.open(path) as file:
                return str(file.read().decode())

        sent = {}
        for name in () if dry_run else paths:
            folder = name.partition("/")[0]
            if folder == "css":
                sent[name] = _REMARK.sub("", _IMPORT.sub(lambda found: text_of(f"css/{found[1]}"), text_of(name)))
            elif folder == "js":
                sent[name] = jsmin(text_of(name))
        for name, text in sent.items():
            self.delete(name)
            paths[name] = (self, self.save(name, ContentFile(text)))
        yield from super().post_process(paths, dry_run, **options)
