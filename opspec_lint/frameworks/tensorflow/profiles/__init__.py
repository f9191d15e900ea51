"""Profiles for TensorFlow's ops, one per module."""
