"""Many kernels at once: on all cores, or on the workers of a cluster.

`run_batch` is the way in; `rotation batch` is the command on top of it.
"""
