"""The loaders of ONNX models, each with what it does to a model: one a module."""
