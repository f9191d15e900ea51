"""The contract itself: ops, their arguments and fields, values, and the two notations for them."""
