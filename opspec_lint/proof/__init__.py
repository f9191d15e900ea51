"""Proofs: models of one op, written from its declaration, that the loaders of two releases take or refuse."""
