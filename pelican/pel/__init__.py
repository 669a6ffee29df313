"""Files of declarations, access patterns, maps and claims: read, laid out, written.

`scan`, `layout` and `write` do without the parser library; `read` and `format` load it.
The claims of a file are answered by `proofs.answer`.
"""
