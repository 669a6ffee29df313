"""Files of declarations, access patterns, maps and claims: read, and laid out.

The parser library comes with `pelican.pel.read` and `pelican.pel.syntax` only. The
claims of a file are answered by `proofs.answer`.
"""
