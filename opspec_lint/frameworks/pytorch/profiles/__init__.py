"""Policies for schemas of PyTorch's ops: one a module."""
