"""Two schemas of one PyTorch op: in what they differ, and which of PyTorch's predicates refuses that."""
