"""What an ONNX file says, without ONNX: its model, graphs, functions and nodes."""
