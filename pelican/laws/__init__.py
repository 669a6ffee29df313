"""Laws as data, and the code that is written from their records."""
