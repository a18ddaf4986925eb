"""The formats, each in its own file: a function from a field to the seating of a round."""
