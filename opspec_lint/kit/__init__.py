"""What knows nothing of ops: records, errors, text, limits, the command line, and how open folders are listed."""
