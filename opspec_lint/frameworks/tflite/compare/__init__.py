"""Comparison of the files that state op versions: within one TFLite tree, and between two."""
