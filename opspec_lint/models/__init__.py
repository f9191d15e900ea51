"""Saved models, which are read without their framework and audited against the spec of a release."""
