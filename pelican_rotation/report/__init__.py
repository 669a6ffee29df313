"""One page for one run, which works without a network: `rotation run --report`."""
