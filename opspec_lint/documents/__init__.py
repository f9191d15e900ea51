"""Bytes in, checked plain values out: JSON and YAML, their schemas, and the line of each value."""
