"""What the store is asked, one noun a file, written with SQLAlchemy Core; ``sidecar.store.compiled`` is made of it."""
