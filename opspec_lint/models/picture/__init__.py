"""Pictures of graphs: nested boxes, folded until their number is readable, with arrows between them."""
