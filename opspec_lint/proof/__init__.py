"""Proofs of findings: generated models of one op, which real loaders of two releases load or refuse."""
