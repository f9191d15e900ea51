"""The formats of saved models that only TensorFlow has: one a module."""
