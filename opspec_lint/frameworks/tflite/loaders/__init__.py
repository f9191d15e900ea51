"""The loaders of TFLite, each with what it does to a model: one a module."""
