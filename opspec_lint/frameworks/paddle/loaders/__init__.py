"""The loaders of Paddle, with the faults that each finds in a model; one module each."""
