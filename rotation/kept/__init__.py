"""Loops whose trip count is known at run time only: kept, not unrolled.

``docs/run-time-loops.md`` tells what they become. In the order in which a function
passes through this folder:

* `registers`: which numbers registers may hold, and the function for given numbers;
* `form`: the tree of nodes, with the operations of straight bodies;
* `edges`: dependences with a distance; `rounds`: stages and order of a body;
* `search`: the ring plan on a window of iterations; `widen`: slots and addresses;
* `tables`: the unrolled program of given numbers, placed and scheduled alike;
* `reads`: everything that is read was written, whatever the trip counts;
* `obligations`: what is proved for all of them; `run`: the pipeline.
"""
