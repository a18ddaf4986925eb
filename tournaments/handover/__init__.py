"""An evening as one file: saved, carried to another computer, gone on with there, and brought back."""
