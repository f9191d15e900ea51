"""Policies for Paddle's ops: one a module."""
