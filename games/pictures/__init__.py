"""A moment of a deal as a picture to share: drawn as SVG from the site's own deck, and the same as PNG."""
