"""The loaders of Paddle, each with what it does to a model: one a module."""
