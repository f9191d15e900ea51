"""How a TFLite model says which option of an op it means."""
