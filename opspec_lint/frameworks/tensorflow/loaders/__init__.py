"""The loaders of TensorFlow, each with what it does to a model: one a module, `__` for a dot of its name."""
