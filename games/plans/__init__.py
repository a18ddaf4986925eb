"""Plans: what players have decided ahead, carried out as ordinary actions and known to their owner alone."""
