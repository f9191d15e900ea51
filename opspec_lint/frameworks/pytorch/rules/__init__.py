"""Rules about the schemas of PyTorch's ops: one a module."""
