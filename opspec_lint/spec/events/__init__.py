"""The tables of events, one per subject, with their mirrors and the facts that they state."""
