"""The commands of opspec-lint, one a module: `SUMMARY`, `configure(arguments)` and `run(options)`."""
