"""Questions about an expression, and what replaces parts of one."""
