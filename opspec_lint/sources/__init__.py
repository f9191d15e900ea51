"""Sources of specs: file formats and readers of frameworks, found by their names, and their shared tools."""
