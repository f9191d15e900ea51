"""Saved models: read without a framework into one frozen model, and checked against the spec of a release."""
