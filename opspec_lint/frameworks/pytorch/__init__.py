"""PyTorch: its saved models."""
