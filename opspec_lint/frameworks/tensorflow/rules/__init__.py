"""Rules about what only TensorFlow declares, named for the event that they judge: one a module."""
