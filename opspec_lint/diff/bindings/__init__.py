"""How saved models bind the arguments of ops, and so how two declarations of an op are compared: one module each."""
