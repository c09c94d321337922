"""Task Dashboard: follows the tasks that an Agent opens, and shows them to the user (RULES 10)."""
