"""Comparison of two specs: it yields facts about what differs in the contract, without any judgement."""
