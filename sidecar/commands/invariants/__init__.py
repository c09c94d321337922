"""What must be true of a store whatever has happened (RULES 1 to 8), as ``verify`` checks it, a noun a module.

Each module says of one row what is wrong with it, in words; :mod:`sidecar.commands.verify` runs them in order.
"""
