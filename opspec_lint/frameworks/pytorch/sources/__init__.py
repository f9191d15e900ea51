"""The sources of PyTorch's specs other than spec files: one a module."""
