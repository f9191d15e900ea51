"""Reads source trees and wheels of Paddle: what they declare of ops, without running any of it."""
