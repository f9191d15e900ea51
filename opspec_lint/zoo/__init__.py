"""Audits of thousands of saved models: which there are, who reads them, what was found, and which ops they use."""
