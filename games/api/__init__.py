"""The JSON API for programs that play (`/api/v1/play/`): the same commands and the same views as the pages, as data.

`docs/api.md` describes it.
"""
