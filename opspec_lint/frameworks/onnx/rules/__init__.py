"""Rules about what only ONNX has: one a module."""
