"""The loaders of TensorFlow, one per module, named by their function with `__` for a dot."""
