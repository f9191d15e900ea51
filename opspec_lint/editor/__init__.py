"""The language server: findings in an editor while a file is written, checked in processes that can be ended."""
