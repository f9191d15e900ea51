"""The profiles for TensorFlow Lite's schema and ops: one a module."""
