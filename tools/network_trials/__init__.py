"""Whole networks that several releases save, and others load: verdicts are compared with the real loaders."""
