"""Writers of ONNX models."""
