"""Replacements for Paddle's own two tools: same arguments, same output, same exit codes."""
