"""Readers of the ops of PIR's dialects: from YAML files, hand-written classes, or the headers of a wheel."""
