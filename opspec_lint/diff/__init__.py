"""Compares two specs and yields changes: what differs in the contract, without any judgement."""
