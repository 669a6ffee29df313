"""Placed and scheduled programs as records, lines and tables."""
