"""The contents of PyTorch's archives, read without PyTorch: their text and JSON. No pickle is opened."""
