"""The provers of ONNX, each named for the loader that it runs in an interpreter with onnx."""
