"""The formats of saved models that only Paddle has: one a module."""
