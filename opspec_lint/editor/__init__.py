"""The language server: findings in an editor while a file is written, read by processes that can be ended."""
