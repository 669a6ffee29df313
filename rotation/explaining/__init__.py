"""Answers for people: what binds a kernel, what it waits for, and what would help."""
