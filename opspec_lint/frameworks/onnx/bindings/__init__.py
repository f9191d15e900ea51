"""The bindings of ONNX: how models refer to the arguments of their ops."""
