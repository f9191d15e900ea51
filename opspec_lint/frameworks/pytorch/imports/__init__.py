"""Lists of accepted changes that other tools of PyTorch keep: one kind a module."""
