"""The JSON API for programs that play (`/api/v1/play/`): the same commands and the same view as the pages, as data. `docs/api.md`
says the same to whoever reads the source."""
