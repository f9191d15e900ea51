"""Rules about what only Paddle declares, named for the event that they judge: one a module."""
