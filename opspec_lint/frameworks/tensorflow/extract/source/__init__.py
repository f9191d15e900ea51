"""Ops of a source tree of TensorFlow, or of an extension: the C++ that registers them, read without a build."""
