"""The programs: the commands `pelican` and `rotation`."""
