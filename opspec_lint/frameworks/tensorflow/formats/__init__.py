"""The file formats that only TensorFlow's specs stand in: one a module."""
