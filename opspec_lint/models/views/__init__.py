"""The formats that `show` has: what a model says of itself, as text, as data, or as a picture. One a module."""
