"""Comparison of two PIR releases: the effect of patches on saved programs, and the patch that a change needs."""
