"""The file formats that only PyTorch's specs stand in: one a module."""
