"""The JSON API for programs that play (`/api/v1/play/`): the same commands and the same view as the pages, as data.

`base` is how all of it answers, `auth` who asks; `games`, `acting`, `following`, `tables`, `records` and `rulesets` are what
can be asked for, in the shapes of `shapes` and `table_shapes`; `legal` says what may be done so that a program needs no
rules; `urls` puts them together and `pages` tells people of it. `docs/api.md` is the same for who reads the source.
"""
