"""Support of TensorFlow: its op declarations, source trees, saved models, loaders, rules and profiles."""
