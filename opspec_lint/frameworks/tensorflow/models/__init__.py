"""The formats of TensorFlow's saved models, one per module."""
