"""An evening as one file, to be saved, continued on another computer, and brought back."""
