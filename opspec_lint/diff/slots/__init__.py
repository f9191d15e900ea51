"""Compares declarations that bytes bind by number: what the bytes of one schema mean under another."""
