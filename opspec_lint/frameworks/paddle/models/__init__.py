"""The formats of saved models of Paddle, one module each."""
