"""The schemas of PyTorch's ops: parser and printer, types, default values, and the spec of a release."""
