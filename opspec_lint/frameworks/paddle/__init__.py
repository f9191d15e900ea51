"""What Paddle alone knows: its source tree, its printed forms, its tools, its types and flags."""
