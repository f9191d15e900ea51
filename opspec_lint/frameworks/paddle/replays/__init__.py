"""Paddle's own two tools, as programs of their own: same arguments, same output, same exit codes."""
