"""A repository under check: its configuration and policy, its specs at base and head, and what surrounds them."""
