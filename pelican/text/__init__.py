"""The text language of expressions, and the mistakes that people make in it."""
