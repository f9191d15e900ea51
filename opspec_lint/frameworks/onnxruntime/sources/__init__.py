"""The sources of ONNX Runtime specs, one per module."""
