"""What lets the core be compiled: which one runs, and what its nodes need."""
