"""Static files under names that carry their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports between our own JavaScript modules to the hashed names."""

    support_js_module_import_aggregation = True
