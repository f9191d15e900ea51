"""Fixes of findings in Paddle's source trees, one module for each kind of edit."""
