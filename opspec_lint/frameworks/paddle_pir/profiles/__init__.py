"""Profiles for PIR ops, one per module."""
