"""File formats of ONNX specs: one a module."""
