"""Policies for Paddle's ops, one module each."""
