"""Interact (``chat``): the conversation between the user and the Agent, as a timeline (RULES 10)."""
