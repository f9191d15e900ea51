"""Provers, one per loader: they load small models by the real function in an interpreter with TensorFlow."""
