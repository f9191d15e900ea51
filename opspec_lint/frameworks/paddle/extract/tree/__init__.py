"""Readers of a Paddle source tree: the ops that the compiled framework would declare.

Nothing of a tree is executed. A declaration that cannot be evaluated with certainty is unresolved, with its place and
the reason; it is never guessed and never dropped.
"""
