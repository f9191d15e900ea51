"""Reads saved models of Paddle, and judges them as its loaders do."""
