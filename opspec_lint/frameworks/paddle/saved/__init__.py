"""Saved models of Paddle: readers of their files, and the checks that its loaders make."""
