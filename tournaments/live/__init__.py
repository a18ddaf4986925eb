"""In the hall: the phones at the tables, each person’s own page, saying that one is here, the big screen."""
