"""Sources of specs of TensorFlow: an installed package, and source trees."""
