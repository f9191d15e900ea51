"""The reader of IR files."""
