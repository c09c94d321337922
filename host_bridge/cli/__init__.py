"""The ``lineup-host`` command: a show and a place to try Tools, in a terminal."""
