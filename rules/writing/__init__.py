"""How the encyclopedia is changed: the steps behind `rules.door`, its limits and refusals, and what follows from a document."""
