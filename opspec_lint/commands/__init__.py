"""The commands of opspec-lint, one a module: each offers `SUMMARY`, `configure(parser)` and `run(options, color)`."""
