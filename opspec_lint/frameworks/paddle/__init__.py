"""The framework Paddle: its source trees, spec formats, loaders, saved models, rules and tools."""
