"""The schemas of PyTorch's ops: their text, their types, and which of two accepts the calls of the other."""
