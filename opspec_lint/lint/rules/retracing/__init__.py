"""Rules about the hazards of retracing: one a module."""
