"""Comparisons of Paddle's ops with the ops of another framework that loads its models, one module each."""
