"""Rules about the version history of ops."""
