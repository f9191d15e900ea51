"""Readers of saved ONNX models, and the checks that the loaders of a release make."""
