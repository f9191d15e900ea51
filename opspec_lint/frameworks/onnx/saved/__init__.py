"""Saved ONNX models: readers, and the checks of the loaders."""
