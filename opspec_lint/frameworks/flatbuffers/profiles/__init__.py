"""The profiles for FlatBuffers schemas: one a module."""
