"""Policies for ONNX specs: one a module."""
