"""A graph as a picture: boxes in boxes, folded until a person can take them in, and the arrows between them."""
