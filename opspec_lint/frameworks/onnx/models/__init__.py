"""The saved model formats of ONNX, one per module."""
