"""Graphs checked against the ops of a release: nodes, functions, wiring and versions, as TensorFlow's importer does."""
