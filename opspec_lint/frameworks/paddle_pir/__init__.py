"""Support of Paddle's PIR: rules, profiles, and the effect of changes of ops on saved programs, with patches.

Specs come from Paddle's source tree and wheels, which `frameworks/paddle/` reads.
"""
