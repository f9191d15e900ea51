"""Code that does not know ops: records, errors, text, limits, the command line, and the listing of open folders."""
