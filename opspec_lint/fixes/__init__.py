"""Fixes of findings: edits of text files, which of them go together, the files after them, and their unified diff."""
