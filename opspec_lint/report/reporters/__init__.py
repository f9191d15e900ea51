"""The output formats, one a module, named for it: each offers `SUMMARY` and `render(report, color)`."""
