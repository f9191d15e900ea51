"""What PyTorch's archives say, without PyTorch: their text and JSON. No pickle is opened."""
