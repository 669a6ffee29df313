"""The loop form of a kernel: what was written, with every name resolved."""
