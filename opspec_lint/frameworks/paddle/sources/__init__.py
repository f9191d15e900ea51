"""The sources of Paddle's specs: an installed package, a wheel, or a source tree."""
