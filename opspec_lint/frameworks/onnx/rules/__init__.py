"""The rules for events that only ONNX has, one per module."""
