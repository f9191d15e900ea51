"""Rules about whole ops."""
