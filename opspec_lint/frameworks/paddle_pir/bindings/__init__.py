"""How a PIR program says which argument of an op it means."""
