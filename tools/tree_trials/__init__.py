"""Compares the contracts of source trees with the ops that wheels register, and with what earlier revisions read."""
