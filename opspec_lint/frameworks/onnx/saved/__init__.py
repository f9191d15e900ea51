"""Saved models of ONNX: what their files contain, and what a release makes of them."""
