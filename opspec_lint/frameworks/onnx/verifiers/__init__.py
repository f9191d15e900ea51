"""The verifiers of ONNX, each named for the loader that it runs on whole models in an interpreter of the user."""
