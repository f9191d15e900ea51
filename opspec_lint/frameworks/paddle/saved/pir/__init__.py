"""Readers of PIR programs, the `.json` files that Paddle 3 saves, and the checks of its loader."""
