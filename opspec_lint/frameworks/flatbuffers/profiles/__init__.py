"""Policies for FlatBuffers schemas: one a module."""
