"""ONNX Runtime: its schemas, and which op versions it runs with which types. Models are those of ONNX."""
