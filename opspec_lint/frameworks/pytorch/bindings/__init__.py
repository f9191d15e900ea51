"""How PyTorch's graphs and calls say which argument of an op they mean."""
