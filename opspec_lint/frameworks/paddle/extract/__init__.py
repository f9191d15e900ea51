"""Readers of the source trees and wheels of Paddle: the declarations of ops, found without running any code."""
