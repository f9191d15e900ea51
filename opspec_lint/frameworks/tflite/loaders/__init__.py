"""The loaders of TFLite, each with the reasons for which it refuses a model: one a module."""
