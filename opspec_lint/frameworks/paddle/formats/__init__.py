"""The file formats of Paddle's specs, one module each."""
