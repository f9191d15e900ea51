"""How ONNX models refer to the arguments of their ops."""
