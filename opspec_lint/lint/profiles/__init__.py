"""The general profiles, one per module: each sets levels of rules."""
