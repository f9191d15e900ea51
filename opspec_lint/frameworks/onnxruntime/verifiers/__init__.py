"""The verifiers of ONNX Runtime, each named for the loader that it runs on whole models."""
