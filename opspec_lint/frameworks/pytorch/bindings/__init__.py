"""The binding of PyTorch: calls refer to arguments by position and by name. One module."""
