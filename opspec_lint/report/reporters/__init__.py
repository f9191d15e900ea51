"""The output formats, one module per format, with its name."""
