"""The loaders of ONNX models, one per module."""
