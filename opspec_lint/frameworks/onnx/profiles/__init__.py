"""The policies for ONNX specs, one per module."""
