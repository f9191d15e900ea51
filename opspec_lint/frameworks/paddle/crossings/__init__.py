"""Ways from ops of Paddle to those of another framework: one a module."""
