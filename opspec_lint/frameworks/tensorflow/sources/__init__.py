"""Where a spec of TensorFlow comes from: an installed package."""
