"""Sources of ONNX Runtime specs: one a module."""
