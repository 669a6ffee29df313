"""Orders and times: list scheduling, the lower bound, and measures of a schedule."""
