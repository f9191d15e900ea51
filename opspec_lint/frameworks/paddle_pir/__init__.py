"""Paddle's PIR: what the ops of its dialect declare, and what becomes of saved programs when that changes.

Specs are made of Paddle's tree and wheels, so `frameworks/paddle/` reads them.
"""
