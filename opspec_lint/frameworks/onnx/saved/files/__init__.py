"""Readers of ONNX files without the onnx package: the model, its graphs, functions and nodes."""
