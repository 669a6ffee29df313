"""Values of expressions: at one point, at many, over arrays."""
