"""The file formats a spec can stand in, one module each; `registry` finds the one that a file is in."""
