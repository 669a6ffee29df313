"""Dependences of the unrolled program: made, carried, reduced."""
