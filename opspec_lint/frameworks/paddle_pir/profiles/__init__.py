"""Policies for PIR ops: one a module."""
