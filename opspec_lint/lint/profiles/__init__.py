"""The profiles, one a module: named tables from rule to level."""
