"""Simplification: the kernel that applies laws, and the loops around it."""
