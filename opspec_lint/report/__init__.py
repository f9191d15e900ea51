"""Findings and reports: their records, order, counts and output formats, and the release that they require."""
