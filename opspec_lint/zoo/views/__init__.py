"""Output formats of a summary, one module each, named as in `--format NAME`."""
