"""The ring plan: how many slots each buffer gets, and how that is searched."""
