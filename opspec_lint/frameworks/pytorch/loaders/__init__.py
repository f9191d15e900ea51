"""The loaders of PyTorch's saved programs, each with the reasons for which it refuses a program: one a module."""
