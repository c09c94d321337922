"""LineUp Runtime: the headless sidecar (see ARCHITECTURE.md)."""
