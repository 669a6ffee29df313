"""The pipeline, its checks and proofs, and the result of a run."""
