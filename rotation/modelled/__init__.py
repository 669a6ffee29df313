"""Policy `modelled`: rotation as the modelled system does it (docs/modelled.md).

Each algorithm is a file, and what the modelled system fixes by number is data:

* `sb_schedule`, `psum_schedule`: targets, periods and windows, and sweeps;
* `targets`: which location is in which target;
* `units`: what moves together, and what stays; `coverage`: what is written before read;
* `psum`, `live_grid`: start banks, in one forward walk over a grid of bands and banks;
* `sb`, `free_matrix`, `live_ids`: byte windows, by what is free over a life;
* `reuse`: how far apart two holders of one place stand;
* `installing`: the check of a whole map;
* `preconditions`, `scope`: function attributes, and kernels in windows of their own.
"""
