"""The pages of the encyclopedia, one module for each part."""
