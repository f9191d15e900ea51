"""Makes the fixes of findings about declarations of no one framework: one language a module."""
