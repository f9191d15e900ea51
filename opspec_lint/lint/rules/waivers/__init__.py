"""Rules about waivers that do not hold."""
