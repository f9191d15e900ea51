"""The formats of saved models that only PyTorch has: one a module. Nothing of them is ever unpickled."""
