"""The engines: each a module, named as `--engine` has it."""
