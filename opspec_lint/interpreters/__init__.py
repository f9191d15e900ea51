"""Interpreters that the user names: a text runs in one within limits, and ends together with this program."""
