"""The file formats of specs that only PyTorch has: one a module."""
