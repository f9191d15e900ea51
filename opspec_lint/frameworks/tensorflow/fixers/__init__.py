"""Edits of the C++ that registers ops of TensorFlow, which remove findings."""
