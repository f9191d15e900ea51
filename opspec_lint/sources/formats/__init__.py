"""The file formats a spec can stand in, one module each."""
