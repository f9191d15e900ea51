"""Verifiers, one per loader: they load whole models by the real function in an interpreter with TensorFlow."""
