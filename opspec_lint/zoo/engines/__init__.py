"""Engines, one module each, named as in `--engine NAME`."""
