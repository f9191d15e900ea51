"""The output formats of `show`, one module per format."""
