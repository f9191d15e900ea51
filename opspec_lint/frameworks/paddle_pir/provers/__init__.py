"""Provers, one per loader: they load small programs by the real functions in an interpreter with Paddle 3."""
