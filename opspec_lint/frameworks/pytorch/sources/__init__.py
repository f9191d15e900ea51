"""Where specs of PyTorch's ops come from that are not spec files: one a module."""
