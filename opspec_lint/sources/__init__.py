"""Origins of specs: file formats and sources, found by their names, and the tools that their readers share."""
