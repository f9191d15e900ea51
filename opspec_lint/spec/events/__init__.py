"""The tables of events, one for each subject: what each becomes when base and head change places, what it states."""
