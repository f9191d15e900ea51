"""The reader of a source tree of ONNX, which evaluates the C++ of each schema without a build."""
