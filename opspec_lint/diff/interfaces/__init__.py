"""Interfaces of saved models: what a declaration owes to those who call it, and the hazards of retracing."""
