"""Extraction of ops from a source tree of TensorFlow or an extension: evaluation of the C++ that registers them."""
