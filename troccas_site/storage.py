"""Static files with a hash of their content in their names, so that browsers may cache them for ever."""

import re
from collections.abc import Iterator
from typing import Any, Final

from django.core.files.base import ContentFile
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT: Final = re.compile(r'^@import url\("([\w-]+\.css)"\);\n', re.MULTILINE)
_REMARK: Final = re.compile(r"\s*/\*.*?\*/|(?<=\n)\s+", re.DOTALL)
"""Comments, and the indentation of lines. Any other white space in a style sheet may be significant."""


class StaticStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, which also does three things to our own files.

    It rewrites imports between JavaScript modules to the hashed names, inlines the style sheets that a style sheet
    imports from its own folder, so that a page requests one file and not ten, and removes comments.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Rewrite our style sheets and scripts, then process all files like Django.

        Raises KeyError for an import of a style sheet that does not exist.
        """

        def text_of(name: str) -> str:
            source, path = paths[name]
            with source.open(path) as file:
                return str(file.read().decode())

        rewritten = {}
        for name in () if dry_run else paths:
            folder = name.partition("/")[0]
            if folder == "css":
                inlined = _IMPORT.sub(lambda match: text_of(f"css/{match[1]}"), text_of(name))
                rewritten[name] = _REMARK.sub("", inlined)
            elif folder == "js":
                rewritten[name] = jsmin(text_of(name))
        for name, text in rewritten.items():
            self.delete(name)
            paths[name] = (self, self.save(name, ContentFile(text)))
        yield from super().post_process(paths, dry_run, **options)
