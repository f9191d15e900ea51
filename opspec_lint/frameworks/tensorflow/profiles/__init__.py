"""Policies for TensorFlow's ops: one a module."""
