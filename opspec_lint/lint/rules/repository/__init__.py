"""Rules about what surrounds the specs: files that came or went, settings, and the next release."""
