"""Verifiers, one per loader: they load whole models by the real functions in an interpreter with Paddle 3."""
