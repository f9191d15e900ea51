"""Rules about what a saved model's callers call: one a module."""
