"""Rules about attrs: their types, their defaults, and what is checked of their values."""
