"""Rules that a kernel must obey on a machine, each with its place and remedy."""
