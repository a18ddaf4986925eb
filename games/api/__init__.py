"""The JSON API for programs that play (`/api/v1/play/`): the same commands and the same view as the pages, as data. `docs/api.md`
is the same for who reads the source."""
