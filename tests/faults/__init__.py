"""What happens when something breaks: processes, the database, Redis, the disk, the clock, the network."""
