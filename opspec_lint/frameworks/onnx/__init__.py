"""ONNX: its saved models."""
