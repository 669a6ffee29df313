"""Other libraries of index expressions, on the same work in the same run.

``python -m benchmarks.peers.compare`` measures pelican and every peer that is
installed, each in a process of its own, in rounds, so that what else the machine does
meets all of them.
"""
