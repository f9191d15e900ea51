"""The formats of saved models that only ONNX has: one a module."""
