"""What the command line does besides serving (PROTOCOL 9)."""
