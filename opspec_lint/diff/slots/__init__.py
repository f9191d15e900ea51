"""Comparison of declarations that bytes bind by number: how bytes of one schema are read under another."""
