"""What ``explain`` tells: of each noun one story, from its row, the audit's entries and the outbox, in plain words.

The words are for a person who has never read this program: who did what, when, why, and what is waited for now.
"""
