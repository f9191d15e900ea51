"""Runs of texts in interpreters that the user names, within limits, and no longer than this program."""
