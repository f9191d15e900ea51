"""The output formats, one a module, which is called like the format."""
