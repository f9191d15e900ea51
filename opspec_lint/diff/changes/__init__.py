"""Constructors of the facts that a comparison of two specs yields, one module for each subject."""
