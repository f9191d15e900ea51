"""Sources of ONNX specs: one a module."""
