"""The file formats that only Paddle's specs stand in: one a module."""
