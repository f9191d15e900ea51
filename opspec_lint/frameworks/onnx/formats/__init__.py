"""The file formats of ONNX specs, one per module."""
