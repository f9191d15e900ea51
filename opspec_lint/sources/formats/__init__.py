"""The general file formats of specs, one module each."""
