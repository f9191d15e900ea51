"""Comparison of the interfaces of saved models: what callers rely on, and the hazards of retracing."""
