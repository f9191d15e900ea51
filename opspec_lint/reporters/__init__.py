"""The output formats, one a module: each offers `NAME`, `SUMMARY` and `render(report, color)`."""
