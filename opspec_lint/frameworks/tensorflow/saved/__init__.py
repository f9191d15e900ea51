"""Saved models of TensorFlow: readers of their files, and the checks of a loader."""
