"""Policies for ONNX Runtime specs: one a module."""
