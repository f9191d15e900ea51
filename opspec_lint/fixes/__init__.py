"""Fixes of findings: edits of text files, their combination, the edited files, and their unified diff."""
