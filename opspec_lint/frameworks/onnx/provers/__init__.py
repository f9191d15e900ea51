"""Provers, each named for a loader: they have it load models in an interpreter that has onnx."""
