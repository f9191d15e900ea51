"""The contract itself: ops, their arguments and fields, values and tensors, and the two texts that stand for them."""
