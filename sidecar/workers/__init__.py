"""The processes that run MiniApp logic: started, watched, restarted and ended (RULES 3 and 6)."""
