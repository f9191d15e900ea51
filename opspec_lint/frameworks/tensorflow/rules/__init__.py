"""The rules for events that only occur with TensorFlow's specs, one per module."""
