"""Reads the schemas that a source tree of ONNX registers: the C++ that builds each is evaluated, without a build."""
