"""Rules about the interface of a saved model: one a module."""
