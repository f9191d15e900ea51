"""The ops that Paddle's YAML files declare, by the rules of the generator at that revision."""
