"""Where a spec of Paddle comes from: an installed package, or a source tree."""
