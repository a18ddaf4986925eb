"""Pages of rounds that are played online: what a duplicate brought deal by deal, how far its tables are, one's own tables."""
