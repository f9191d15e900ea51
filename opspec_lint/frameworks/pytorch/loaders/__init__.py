"""What stops a saved program of PyTorch: a loader a module."""
