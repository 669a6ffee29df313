"""Access patterns and maps: which addresses a tile touches, and what leads back.

`patterns` and `maps` hold the two records. `counting` and `delinearise` answer
questions about an address, `inverse` solves a map for its inputs, `radix` makes the
maps of mixed radix, and `picture` draws a pattern.
"""
