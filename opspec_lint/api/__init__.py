"""The public Python API, and the parts of `check` and `audit` that the command line shares with it."""
