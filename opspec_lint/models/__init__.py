"""Saved models: read without a framework into one frozen model, and held against the spec of a release."""
