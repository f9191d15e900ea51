"""What can be called of a saved model: signatures and functions as declarations of a spec, in words of Python."""
