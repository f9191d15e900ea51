"""The rules for events that only ONNX Runtime has, one per module."""
