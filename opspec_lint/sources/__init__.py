"""Where a spec comes from: the file formats and the sources, found by their names, and what every reader needs."""
