"""Expressions as trees: kinds, order, walks, the builder and the text."""
