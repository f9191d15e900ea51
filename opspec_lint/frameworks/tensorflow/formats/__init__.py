"""The formats of spec files that only TensorFlow has, one per module."""
