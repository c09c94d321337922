"""Defines nothing that could be run."""
