"""The comparison of two schemas of a PyTorch op: the differences, and which of PyTorch's predicates refuses them."""
