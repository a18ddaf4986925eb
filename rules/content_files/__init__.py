"""The files of the first content: reading them, checking them, bringing them into the encyclopedia."""
