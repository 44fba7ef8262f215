"""Saved skills as modules: the package ``skills`` of user code, and the reading and testing of their source.

A skill's source comes over the channel with its first import in a run (``call`` frames, wire.py). Nothing here is a check:
the host decides what may be saved, and takes what is found out here for a claim.
"""
