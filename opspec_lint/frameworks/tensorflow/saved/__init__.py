"""Saved models of TensorFlow: folders, graphs, checkpoints and callables, each read and checked."""
