"""The rules that only PIR has, about changes that break saved programs and about faulty patches, one per module."""
