"""In the hall: the phones at the tables, each person’s own page, arriving at the entrance, and the big screen."""
