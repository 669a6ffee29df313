"""The steps of the compiler, one module each."""
