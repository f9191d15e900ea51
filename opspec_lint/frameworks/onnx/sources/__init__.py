"""The sources of ONNX specs, one per module."""
