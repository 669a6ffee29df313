"""What an editor asks of a text: mistakes, what a place means, where a name is from."""
