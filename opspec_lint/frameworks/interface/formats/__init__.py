"""The file formats of interfaces, one per module."""
