"""Findings and how they leave: sorted, counted and rendered, and the release that they ask for."""
