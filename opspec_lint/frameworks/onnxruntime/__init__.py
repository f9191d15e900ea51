"""ONNX Runtime: its schemas, and the types that it has kernels for. Its models are ONNX models."""
