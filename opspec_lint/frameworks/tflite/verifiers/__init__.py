"""The verifiers of TFLite: real calls of its loaders on whole models, each named for its loader."""
