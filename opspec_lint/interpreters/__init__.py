"""Runs of probes in interpreters that the user names, within limits on time, memory and disk space."""
