"""Whatever is given to what reads files, records, addresses and requests: it is read, or refused clearly and in time."""
