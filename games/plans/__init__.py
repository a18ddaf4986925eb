"""Plans: what players have decided in advance, carried out as ordinary actions and known only to their owner."""
