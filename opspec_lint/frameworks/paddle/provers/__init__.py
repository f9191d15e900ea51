"""Provers, each named for a loader, which they let load models in an interpreter with the framework."""
