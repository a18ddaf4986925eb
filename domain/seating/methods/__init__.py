"""The formats, each a generator in its own file: what is to be seated -> the round, seated."""
