"""Measures which intermediate outputs an op of Paddle cannot do without, in releases of Paddle."""
