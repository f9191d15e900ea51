"""Rules about what a spec speaks of, and what it does not."""
