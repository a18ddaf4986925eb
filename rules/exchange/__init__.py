"""The words on their way out and in: TBX, SKOS, CSV, and what a file would change here.

`records` is the common shape, `publishing` makes every file we give out, `planning` and `applying` take one in.
"""
