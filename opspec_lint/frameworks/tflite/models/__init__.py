"""The formats of saved models that only TFLite has: one a module."""
