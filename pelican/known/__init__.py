"""What is known of the values of an expression: ranges, classes, tables."""
