"""The sources of TFLite's specs other than spec files: a source tree, an installed runtime."""
