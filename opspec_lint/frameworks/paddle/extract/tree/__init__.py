"""Reads what a Paddle source tree declares of its operators, as the compiled framework would print it.

Nothing that is read is executed. What cannot be evaluated for certain is said to be unresolved, with its place and the
reason; it is never guessed and never dropped.
"""
