"""The provers of ONNX Runtime, each named for the loader that it runs in an interpreter with ONNX Runtime."""
