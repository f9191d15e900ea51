"""The file formats a spec can stand in, one module each; `files` finds the one that a file is in."""
