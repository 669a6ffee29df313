"""Which laws to try, with which bindings.

A strategy only proposes. Each proposal is a chain of steps that hold together or not
at all; `pelican.engine.rewrite` checks every fact of every step, so a poor proposal
costs time and never soundness. Proposals come in the order in which they are tried.
"""
