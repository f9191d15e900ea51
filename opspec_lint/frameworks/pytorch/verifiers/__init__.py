"""The verifiers of PyTorch: real calls of its loaders on whole models, each named for its loader."""
