"""Export and import of the words: TBX, SKOS, CSV, and what a file would change here.

`records` is the common shape, `publishing` makes every file that we export, `importing` plans and applies an import.
"""
