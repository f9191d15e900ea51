"""ONNX: its operator schemas, and its saved models."""
