"""Audits of thousands of saved models: listing the files, running workers, storing verdicts, and counting used ops."""
