"""Fixers for findings about TensorFlow's ops: edits of the C++ that registers them."""
