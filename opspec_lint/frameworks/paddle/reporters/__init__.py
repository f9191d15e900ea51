"""The output formats of Paddle's own tools, one module each."""
