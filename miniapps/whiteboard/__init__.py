"""Whiteboard: a drawing surface in a sandbox of its own, handed in as an SVG (RULES 10)."""
