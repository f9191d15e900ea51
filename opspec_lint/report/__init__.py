"""Findings and reports: sorted, counted and rendered, and the release that they require."""
