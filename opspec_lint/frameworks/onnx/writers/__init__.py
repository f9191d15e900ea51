"""The writers of ONNX models."""
