"""Rules about what only ONNX Runtime has: one a module."""
