"""What TensorFlow alone knows: the messages that its op declarations are written in, and what makes one valid."""
