"""The formats that a summary is shown in: each a module, named as `--format` has it."""
