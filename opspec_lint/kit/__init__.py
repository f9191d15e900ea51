"""General code without knowledge of ops: records, errors, text, limits, the command line, and open folders."""
