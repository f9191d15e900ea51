"""Measures which public calls of the frameworks load which files: each release saves, and each release loads."""
