"""The formats of saved models that only PyTorch has: one a module. No pickle is opened."""
