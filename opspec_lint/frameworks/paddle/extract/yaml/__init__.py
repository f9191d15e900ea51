"""Readers of the ops that Paddle's YAML files declare, by the rules of the generator at the same revision."""
