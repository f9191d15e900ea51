"""ONNX: operator schemas and saved models."""
